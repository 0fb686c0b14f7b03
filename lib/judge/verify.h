/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one judge of plans, independent of every solver.  */
#ifndef ARENABENCH_LIB_JUDGE_VERIFY_H
#define ARENABENCH_LIB_JUDGE_VERIFY_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Refuses a plan, naming the first violation, when an offset is negative,
 * misaligned or not the one that is fixed, pieces of different buffers that live at the same step
 * overlap, the reported peak is not max(offset + size), or an object is not as large as its
 * tenants.  O(pieces log pieces).  */
bool verify_plan(const struct instance *instance, const struct plan *plan, struct error *error);

enum replay_kind {
    REPLAY_NONE,     /* the instance has no network */
    REPLAY_BYTES,    /* every byte */
    REPLAY_SCALED,   /* sizes and offsets divided by their gcd */
    REPLAY_SEGMENTS, /* one word for each stretch between two neighbouring ends */
};

/* Runs the schedule of the instance's network on a real arena laid out as the
 * plan says: each tensor is filled with its own pattern when it is born, read
 * back by each of its readers and when it dies.  Arenas over 64 KiB are
 * shrunk by the gcd of all sizes and offsets and, if still larger, to one word
 * for each stretch of addresses between two neighbouring starts or ends of
 * tensors, which loses nothing, as all bytes of a stretch are written and read
 * together; KIND, when not NULL, says which.  Uses only the network, the
 * schedule and the offsets, never the instance's lifetimes.  On several streams
 * it does so in several orders (lib/judge/replay_orders.h), but for the first on
 * such words: what one of them shows is wrong, and not all that is wrong has to
 * show.  Networks with loops are run as lib/judge/loop_replay.h says.  The
 * plan has passed verify_plan, or has at least no negative offset.  */
bool verify_replay(const struct instance *instance, const struct plan *plan, enum replay_kind *kind,
                   struct error *error);

const char *replay_name(enum replay_kind kind);

#endif
