/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of an ncnn .param file as layers, blobs and parameters.
 *
 *   7767517
 *   LAYERS BLOBS
 *   TYPE NAME INPUTS OUTPUTS input... output... key=value...
 *
 * Values are whole numbers, reals, or lists of them: `3=1,2` or, the older
 * spelling, `-23303=2,1,2`, where 3 is the key and 2 the number of elements.
 * Everything points into the text, and what is stored of it is linear in its
 * length whatever counts it claims.  */
#ifndef ARENABENCH_WORKLOADS_READERS_NCNN_PARAM_H
#define ARENABENCH_WORKLOADS_READERS_NCNN_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

#define NCNN_SHAPE_HINTS 30 /* key: the shapes of a layer's outputs */

struct ncnn_number {
    bool whole;
    int64_t integer; /* where WHOLE */
    double real;
};

struct ncnn_value {
    int64_t key;
    bool text;           /* neither a number nor a list: COUNT is 0 */
    size_t first, count; /* in model.number */
};

struct ncnn_layer {
    const char *type, *name;
    size_t line;            /* from 1 */
    size_t inputs, outputs; /* model.reference from FIRST: the inputs, then the outputs */
    size_t first;
    size_t first_value, values;
};

struct ncnn_blob {
    const char *name;
    size_t layer;  /* that makes it */
    size_t output; /* which of the layer's outputs */
    size_t readers;
};

struct ncnn_model {
    const char *path; /* the caller's */
    size_t n_layers, layers_capacity;
    struct ncnn_layer *layer;
    size_t n_references;
    size_t *reference;     /* blobs, once they are resolved */
    const char **word;     /* their names */
    size_t words_capacity; /* private */
    size_t n_blobs;
    struct ncnn_blob *blob; /* in the order in which they are made */
    size_t n_values, values_capacity;
    struct ncnn_value *value;
    size_t n_numbers, numbers_capacity;
    struct ncnn_number *number;
};

/* Reads TEXT, LENGTH bytes and a zero byte, which it cuts into words and which
 * has to outlive MODEL.  Checks that names are unique and that every blob is
 * made before it is read, which rules out cycles.  Warnings go to NOTICES
 * unless it is NULL.  On failure there is nothing to free.  */
bool ncnn_param_read(struct ncnn_model *model, char *text, size_t length, const char *path,
                     FILE *notices, struct error *error);
void ncnn_param_clear(struct ncnn_model *model);

/* Sets "PATH:LINE: layer 'NAME' (TYPE): ..." and returns false.  */
bool ncnn_error(const struct ncnn_model *model, const struct ncnn_layer *layer, struct error *error,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The value of LAYER under KEY, or NULL.  */
const struct ncnn_value *ncnn_find(const struct ncnn_model *model, const struct ncnn_layer *layer,
                                   int64_t key);

#endif
