/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the replay share.  */
#ifndef ARENABENCH_LIB_JUDGE_REPLAY_PRIVATE_H
#define ARENABENCH_LIB_JUDGE_REPLAY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"
#include "lib/judge/verify.h"

enum { REPLAY_WORD = sizeof(uint64_t) };

/* A stretch of the arena that carries the pattern of value TAG.  */
struct replay_segment {
    int64_t low, high; /* cells of the arena */
    size_t tag;
};

struct replay {
    const struct network *network;
    const struct schedule *schedule;
    const struct instance *instance;

    /* What each value is made of: segments first[v] .. first[v] + count[v], by
     * ascending address and without holes; none where it is not in the arena.  */
    struct replay_segment *segment;
    size_t segments, capacity;
    size_t *first, *count;

    unsigned char *arena;
    int64_t cells;
    struct error *error;
};

/* Whether value OUT lies OFFSET bytes behind the start of value IN, in the same
 * buffer.  */
bool replay_lies_at(const struct replay *replay, size_t in, size_t out, int64_t offset);

/* Fills in what each value is made of, and the size of the arena.  */
enum replay_kind replay_lay_out(struct replay *replay, const struct plan *plan);

/* Leaves one word of each stretch between two neighbouring starts or ends: replaces addresses by
 * their rank among all of these, times the word size.  */
void replay_shrink(struct replay *replay);

#endif
