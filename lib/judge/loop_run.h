/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the replay of loops share: a network while it runs, and its
 * memory.  */
#ifndef ARENABENCH_LIB_JUDGE_LOOP_RUN_H
#define ARENABENCH_LIB_JUDGE_LOOP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/judge/loop_content.h"
#include "lib/lifetimes/loop_layout.h"

struct plan;

struct loop_replay {
    const struct loop_layout *layout;
    const struct plan *plan;
    struct error *error;
    int64_t unit; /* bytes of a cell: the arena has a word for each */
    uint64_t *arena;
    struct content_pool pool;
    int64_t run;     /* 0, 1, ...: which body of a branch, how many iterations fewer */
    size_t branches; /* executed so far */
    int64_t work;    /* cells written and read */
    int64_t most_work;
    const struct content **stored; /* of each tensor that is stored */
};

/* A network or a body while it runs.  */
struct running {
    struct loop_replay *replay;
    const struct loop_frame *frame;
    struct running *parent;
    int64_t t;
    const struct content **holds; /* of each value, in this iteration */
};

/* --- loop_memory.c --- */

/* The first cell of VALUE, or of a tensor, now; -1: it has no memory.  */
int64_t running_address(const struct running *running, size_t value);
int64_t replay_address(const struct loop_replay *replay, size_t tensor);

int64_t running_cells(const struct running *running, size_t value);

/* Slices of a value of the frame, in cells.  */
struct loop_slices running_slices(const struct running *running, size_t value, int axis);

void running_write(const struct running *running, size_t value);

/* Whether VALUE is as it should be; WHEN is for the message.  */
bool running_read(const struct running *running, size_t value, const char *when);

/* CELLS words from one place to another; what comes from no memory of the plan is
 * written as it should be: as CONTENT is from cell FIRST on.  */
void replay_copy(struct loop_replay *replay, int64_t from, int64_t to, int64_t cells,
                 const struct content *content, int64_t first);

/* The replay then ends as if something were wrong.  */
bool replay_is_too_much(const struct loop_replay *replay);

/* --- loop_run.c --- */

/* Puts into RUNNING what is stored in its frame.  */
void running_hold_stored(struct running *running);

/* All operators of the frame, once.  */
bool running_run(struct running *running);

#endif
