/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for work, each pinned to a processor of its own.  */
#ifndef ARENABENCH_KERNELS_POOL_H
#define ARENABENCH_KERNELS_POOL_H

#include <stdint.h>

#include "lib/base/error.h"

struct pool;

/* Does item ITEM of the work.  */
typedef void pool_work(void *context, int64_t item);

/* SHARED, if it is not NULL, or else as pool_new.  */
struct pool *pool_take(struct pool *shared, int count, struct error *error);

/* COUNT threads, the calling one among them, which is pinned too until
 * pool_free.  NULL with a message when there are not so many processors.  A
 * pool of one thread has none of its own and pins nothing.  */
struct pool *pool_new(int count, struct error *error);
void pool_free(struct pool *pool);

/* Does the items 0 .. ITEMS-1, each once, on all threads, and returns when all
 * are done.  Each thread takes the next item that nobody has.  */
void pool_run(struct pool *pool, int64_t items, pool_work *work, void *context);

int pool_threads(const struct pool *pool);

/* Processors that this process may run on.  */
int pool_processors(void);

#endif
