/* A network that runs: its operators, one after the other as the schedule has them, on values that
 * lie where they were put.
 *
 * An operator whose output lies on its input because it is a view of it, or whose input lies in its
 * output because it was made there, has nothing to do with it (struct op_reuse,
 * lib/graph/network.h): whether that is so is seen from the addresses.  */
#ifndef ARENABENCH_RUNTIME_RUN_H
#define ARENABENCH_RUNTIME_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;
struct run_memory;
struct schedule;

struct run;

/* Whether all operators of NETWORK can be run; else all words of those that cannot, with their
 * numbers and the reason of the first.  */
bool run_check(const struct network *network, struct error *error);

/* A run of NETWORK, which passed run_check and whose stored values have elements.  All four are
 * borrowed until run_free.  NULL with a message.  */
struct run *run_new(const struct network *network, const struct schedule *schedule,
                    const struct run_memory *memory, struct error *error);
void run_free(struct run *run);

/* Runs all operators once.  What the inputs hold is the caller's to write before; in an arena that
 * is once for each run, since others may lie there after their last reader.  */
bool run_once(struct run *run, struct error *error);

#endif
