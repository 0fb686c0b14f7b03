/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a node can go among others that lie somewhere, and what it pays there.  */
#ifndef ARENABENCH_HAZARDS_SPOTS_H
#define ARENABENCH_HAZARDS_SPOTS_H

#include <stddef.h>
#include <stdint.h>

#include "hazards/part.h"

/* An offset.  */
struct spot {
    int64_t offset;
    int64_t cost;
};

/* Where one node can go.  */
struct spots {
    const struct hazard_part *part;
    struct spot *spot;
    size_t count;
    struct spot_event *event; /* scratch */
    size_t room;
};

void spots_init(struct spots *spots, const struct hazard_part *part);
void spots_clear(struct spots *spots);

/* What a plan has of a node that lies nowhere.  */
#define NOWHERE (-1)

enum spots_menu {
    SPOTS_ON_TOP, /* at 0, or on another node: enough for some best plan */
    SPOTS_ALL, /* below another one, or at the upper end, too: among these is one that pays least */
};

/* Fills in spots->spot[0..count), ascending: the aligned offsets of MENU within the capacity at
 * which NODE overlaps nothing that it conflicts with.  Other nodes are those that it has arcs to.
 * OFFSET, by nodes: where they are.  O(d log d) for d arcs.  */
void spots_find(struct spots *spots, size_t node, enum spots_menu menu, const int64_t *offset);

#endif
