/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifetimes --explain: why a buffer lives from where to where.  */
#ifndef ARENABENCH_HARNESS_CLI_EXPLAIN_H
#define ARENABENCH_HARNESS_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* What is explained: a value of the network, a buffer, or both.  */
struct explained {
    size_t value;  /* SIZE_MAX: none is known */
    size_t buffer; /* SIZE_MAX: it has none */
};

/* Finds the value or else the buffer called NAME; unknown names suggest the nearest.  */
bool explain_find(const struct instance *instance, const char *name, struct explained *explained,
                  struct error *error);

/* Writes who makes and who reads it, what shares its buffer by which rule, and the steps that
 * follow from that.  INPLACE is the word of inplace=.  False on an output error, with errno.  */
bool explain_print(const struct instance *instance, const struct explained *explained,
                   const char *inplace, FILE *out);

#endif
