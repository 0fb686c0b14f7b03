/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a set of buffers can be placed in one memory, and buffer by buffer.  */
#ifndef ARENABENCH_MEMORIES_PLACING_H
#define ARENABENCH_MEMORIES_PLACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct split;
struct split_problem;

enum placing_answer { PLACING_FITS, PLACING_NEVER, PLACING_UNKNOWN };

/* Asks the library whether the COUNT buffers SET can lie in memory M together; OFFSET[i] is that of
 * SET[i] where they fit.  Ends at WORK placements (0: no limit) or when timer_now() passes
 * DEADLINE. In a memory without a limit they fit, where few bytes are needed.  */
enum placing_answer placing_ask(const struct split_problem *problem, size_t m, const size_t *set,
                                size_t count, int64_t work, double deadline, int64_t *offset);

/* Buffers that lie where a split has them, and others that come and go.  */
struct placing {
    const struct split_problem *problem;
    struct split *split;
    int64_t *used; /* bytes in use of memory m in row r: used[m * rows + r] */
    int64_t work;  /* placements that asking anew may still take */
    double deadline;
};

/* SPLIT is the caller's.  */
void placing_init(struct placing *placing, const struct split_problem *problem, struct split *split,
                  int64_t work, double deadline);
void placing_clear(struct placing *placing);

/* Puts buffer B, which lies nowhere, into memory M: at the lowest gap, or, where ANEW says so and
 * the sums leave room, with all that is in M placed anew.  False when that does not succeed; then
 * nothing has changed.  */
bool placing_put(struct placing *placing, size_t b, size_t m, bool anew);
void placing_take(struct placing *placing, size_t b);

#endif
