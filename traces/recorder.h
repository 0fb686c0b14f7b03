/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a trace of events one by one, and says which can't be.  */
#ifndef ARENABENCH_TRACES_RECORDER_H
#define ARENABENCH_TRACES_RECORDER_H

#include "traces/trace.h"

struct recorder;

/* PATH is the file's; its last part becomes the trace's name.  */
struct recorder *recorder_new(const char *path);

/* Gives RECORDER up, and with it what it has recorded.  */
void recorder_free(struct recorder *recorder);

/* The pool NAME, a new one where there is none as yet.  False where there are too many.  */
bool recorder_pool(struct recorder *recorder, const char *name, size_t *pool, struct error *error);

/* An event: SIZE bytes at ADDRESS are handed out, or given back.  False with a message without a
 * place where something alive is there already, or nothing is.  What is released without an
 * allocation, at addresses that nothing has had so far, was there before the recording: SIZE has
 * to say how much it was, or be one of those below 0.  */
enum {
    RELEASE_UNKNOWN = -1,    /* nobody knows the size: what was there before is left out */
    RELEASE_NEEDS_SIZE = -2, /* the file could say it: what was there before is refused */
};
bool recorder_allocate(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                       struct error *error);
bool recorder_release(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                      struct error *error);

/* The same of an allocation, where the release of what is alive there may have been lost: what it
 * meets ended just before.  */
bool recorder_allocate_anew(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                            struct error *error);

/* No event: SIZE bytes at ADDRESS were there before the first one, and are until they are
 * released.  */
bool recorder_before(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                     struct error *error);

/* Whether something alive begins at ADDRESS.  */
bool recorder_has(const struct recorder *recorder, size_t pool, uint64_t address);

/* Says that POOL had so many bytes from below at most.  */
void recorder_reserved(struct recorder *recorder, size_t pool, int64_t bytes);

/* What was recorded; gives RECORDER up.  */
struct trace *recorder_finish(struct recorder *recorder);

#endif
