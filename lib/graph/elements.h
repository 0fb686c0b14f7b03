/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The elements of a stored value, which several values may share: a copy of a network, or a
 * network that was made from it, keeps them without copying them.  */
#ifndef ARENABENCH_LIB_GRAPH_ELEMENTS_H
#define ARENABENCH_LIB_GRAPH_ELEMENTS_H

#include <stddef.h>

/* Bytes as the machine has them in memory; they stay as they are once there are two holders.  */
struct elements {
    size_t holders;
    size_t bytes;
    void *data; /* aligned to 64 bytes */
};

/* One holder's, of BYTES zeros.  */
struct elements *elements_new(size_t bytes);

/* One holder more; NULL of NULL.  Returns ELEMENTS.  */
struct elements *elements_hold(struct elements *elements);

/* One holder fewer; the last one's frees them.  */
void elements_release(struct elements *elements);

#endif
