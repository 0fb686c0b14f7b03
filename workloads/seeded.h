/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights for networks that come without.
 *
 * The built-in networks are architectures: they are run with random weights, drawn so that what
 * flows through them neither vanishes nor overflows.  */
#ifndef ARENABENCH_WORKLOADS_SEEDED_H
#define ARENABENCH_WORKLOADS_SEEDED_H

struct network;

/* Gives elements to all stored f32 values of NETWORK that have none.  What a value gets depends on
 * its name, its shape and who reads it:
 *
 *   weights of a layer     uniform in +-sqrt(6 / n), n the terms of a sum: He, Zhang, Ren and Sun,
 *                          "Delving deep into rectifiers", ICCV 2015
 *   of a normalisation     factors and variances uniform in [0.5, 1.5], shifts and means in +-0.5
 *   biases, positions      uniform in +-0.1
 *   tables of embeddings   uniform in +-1
 *
 * Other types keep no elements: a run then says which (runtime/run.h).  */
void seed_weights(struct network *network);

#endif
