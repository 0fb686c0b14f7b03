/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes of a call, read and refused in one way.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_ATTRIBUTES_H
#define ARENABENCH_RUNTIME_OPERATORS_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

/* Refuses a computation with an attribute that is not among NAMES, with blanks between: one that
 * an operator does not know could mean anything.  */
bool attributes_among(const struct call *call, const char *names);

/* COUNT whole numbers within [LOW, HIGH] into NUMBER; all OTHERWISE where there is no such
 * attribute.  */
bool attribute_integers(const struct call *call, const char *name, int count, int64_t low,
                        int64_t high, int64_t otherwise, int64_t *number);

/* One number, which some versions have as a whole one and others as a real one.  */
double attribute_number(const struct call *call, const char *name, double otherwise);

/* The text's place among WORDS, which end with NULL; 0 where there is no such attribute, -1
 * (and refused) for another text.  */
int attribute_choice(const struct call *call, const char *name, const char *const *words);

#endif
