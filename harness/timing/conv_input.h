/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the LAYER arguments of the conv command name.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_INPUT_H
#define ARENABENCH_HARNESS_TIMING_CONV_INPUT_H

#include <stdbool.h>

#include "kernels/layer.h"
#include "lib/base/error.h"

/* Adds to LIST the layers that TEXT names: a layer (c=64,h=56,...), a list that
 * comes with the project (bench15) or in a file (PATH.layers), a table of them
 * (PATH.csv, as kernels/layer_table.h reads it, data:FILE.csv among the real inputs), or the plain
 * convolutions of a network (resnet50:batch=8), of which layer=NAME picks one.
 * Of any of these but a layer, sample=N,seed=S takes a sample (conv_sample.h).
 * A network's layers of the same shape are there once.  Where a list and a
 * network share a name, a colon after it says that it is the network.  */
bool conv_input(struct layer_list *list, const char *text, struct error *error);

/* The same with each of a network's layers, however many have the same shape.  */
bool conv_input_all(struct layer_list *list, const char *text, struct error *error);

#endif
