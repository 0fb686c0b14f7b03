/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a network counts: the options of lifetimes, and what these say of a
 * value.  */
#ifndef ARENABENCH_LIB_LIFETIMES_COUNTING_H
#define ARENABENCH_LIB_LIFETIMES_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;
struct value;

enum io_count { IO_NONE, IO_INPUTS, IO_OUTPUTS, IO_BOTH };

/* The rules by which operators overwrite their inputs: lib/lifetimes/inplace.h.  */
enum inplace { INPLACE_OFF, INPLACE_MEGENGINE, INPLACE_NNC };

struct lifetime_options {
    enum io_count io;
    bool weights;
    bool alias; /* pure aliases share their input's buffer */
    enum inplace inplace;
    bool place;        /* parts of a concatenation lie in it from the start */
    int64_t alignment; /* of every buffer, bytes; 0: 1 */
    bool elements; /* of a buffer also its largest element's, where sizes alone do not see to it */
};

/* What a buffer holds that makes it more than an intermediate.  */
struct lifetime_roles {
    bool alive; /* some member takes part at all */
    bool input, output;
    bool stored; /* weights and other constants */
};

/* Adds what VALUE is to ROLES, which begins as zeros.  An optional value that
 * nobody reads takes no part.  */
void lifetime_roles_add(struct lifetime_roles *roles, const struct value *value);

/* What is an input, an output or stored is no intermediate; it counts when
 * the options ask for one of the things that it is.  */
bool lifetime_counts(const struct lifetime_roles *roles, const struct lifetime_options *options);

/* The value whose buffer each value shares: itself, or with ALIAS, for a pure
 * alias, that of its input.  The caller frees it.  */
size_t *lifetime_roots(const struct network *network, bool alias);

#endif
