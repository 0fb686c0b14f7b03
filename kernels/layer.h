/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers as text, and the lists of layers that come with the project.  */
#ifndef ARENABENCH_KERNELS_LAYER_H
#define ARENABENCH_KERNELS_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/graph/conv_shape.h"

/* n=1,c=64,h=56,w=56,k=64,r=3,s=3,stride=1,pad=1,dilation=1,groups=1: pairs are
 * height x width (stride=2x1), and pad=TOPxBOTTOMxLEFTxRIGHT is understood too.  */
extern const struct param layer_params[];

/* The checked shape that TEXT describes.  */
bool layer_parse(const char *text, struct conv_shape *shape, struct error *error);

/* The same in a shortest form: defaults are left out.  The caller frees it.  */
char *layer_text(const struct conv_shape *shape);

struct layer {
    char *name;
    struct conv_shape shape;
};

struct layer_list {
    struct layer *layer;
    size_t count, capacity;
};

/* Copies NAME.  */
void layer_list_add(struct layer_list *list, const char *name, const struct conv_shape *shape);
/* Lines of `NAME LAYER`; # begins a comment.  PATH is for messages.  */
bool layer_list_read(struct layer_list *list, FILE *in, const char *path, struct error *error);
void layer_list_free(struct layer_list *list);

/* The share of taps that hit real input, 0 to 1: what a kernel that leaves out
 * padding really has to do.  */
double layer_tap_share(const struct conv_shape *shape);

#endif
