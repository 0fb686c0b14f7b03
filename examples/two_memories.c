/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into the fast memory: two_memories BYTES
 *
 * A small network's tensors, with the steps from which to which each is in use, on a chip with so
 * many bytes of fast memory and slow memory behind it.  Prints where each tensor lies, what that
 * costs, and what no other assignment is below.  Status 1 where they do not fit at all.  */
#include <arenaplan.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TENSORS = 6, SLOW = 1, MEMORIES = 2 };

static const char *const names[TENSORS] = {"image", "conv1", "conv2", "skip", "conv3", "scores"};

static const struct arenaplan_buffer tensors[TENSORS] = {
    {.begin = 0, .end = 2, .size = 49152, .alignment = 64},
    {.begin = 1, .end = 3, .size = 65536, .alignment = 64},
    {.begin = 2, .end = 4, .size = 32768, .alignment = 64},
    {.begin = 1, .end = 5, .size = 16384, .alignment = 64},
    {.begin = 3, .end = 5, .size = 32768, .alignment = 64},
    {.begin = 4, .end = 6, .size = 1000, .alignment = 64},
};

/* Each is written once and read by so many operators.  The image comes from a camera that writes
 * into the slow memory.  */
static const int readers[TENSORS] = {1, 1, 1, 2, 1, 1};

int main(int argc, char **argv)
{
    struct arenaplan_memory memory[MEMORIES] = {
        {.read = 1, .write = 1},
        {.capacity = ARENAPLAN_UNLIMITED, .alignment = 64, .read = 8, .write = 10},
    };
    struct arenaplan_access access[TENSORS] = {{0, 0, 0}};
    const struct arenaplan_problem problem = ARENAPLAN_PROBLEM(tensors, TENSORS);
    const struct arenaplan_memories memories = ARENAPLAN_MEMORIES(memory, MEMORIES, access);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_assignment best = ARENAPLAN_ASSIGNMENT;
    size_t lies[TENSORS];
    int64_t offset[TENSORS];

    memory[0].capacity = argc > 1 ? strtoll(argv[1], NULL, 10) : 131072;
    for (int t = 0; t < TENSORS; t++) {
        access[t].reads = readers[t] * tensors[t].size;
        access[t].writes = tensors[t].size;
    }
    access[0].memories = UINT64_C(1) << SLOW;
    options.seconds = 0.1;
    if (arenaplan_assign(&problem, &memories, &options, lies, offset, &best) > ARENAPLAN_FEASIBLE) {
        fprintf(stderr, "%s: %s\n", arenaplan_status_text(best.status),
                arenaplan_fault_text(best.fault));
        return 1;
    }
    for (int t = 0; t < TENSORS; t++)
        printf("%-8s %s %8" PRId64 "\n", names[t], lies[t] == SLOW ? "slow" : "fast", offset[t]);
    printf("cost %" PRId64 ", at least %" PRId64 "\n", best.cost, best.lower_bound);
    return 0;
}
