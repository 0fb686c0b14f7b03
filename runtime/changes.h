/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stored values that a run changes: a training graph's updates write weights, and their
 * optimiser's state, where they are (lib/graph/train_compute.h).  What they begin as is shared
 * (lib/graph/elements.h), so each memory of a run has its own copy of them.  */
#ifndef ARENABENCH_RUNTIME_CHANGES_H
#define ARENABENCH_RUNTIME_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct network;
struct schedule;

enum change {
    CHANGE_NONE,
    CHANGE_WEIGHT, /* begins as its elements */
    CHANGE_STATE,  /* begins as zeros, whatever elements it has */
};

enum change change_of(const struct network *network, size_t value);

/* Whether SCHEDULE has all that reads a changed value in steps before the one that changes it: no
 * arrow of the graph says so.  False with a message that names the two.  */
bool changes_come_last(const struct network *network, const struct schedule *schedule,
                       struct error *error);

#endif
