/* Refuting a capacity by a time window: the problem clipped to a range of its
 * sections is a relaxation, so what can't be packed there can't be packed at all.  */
#ifndef ARENABENCH_SOLVERS_COMMON_SECTION_WINDOWS_H
#define ARENABENCH_SOLVERS_COMMON_SECTION_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct section_options;
struct section_problem;

/* A window that is known to be feasible from some capacity on; so are all windows
 * inside it.  */
struct feasible_window {
    size_t from, to;
    int64_t capacity;
};

struct section_windows {
    const struct section_problem *problem;
    const struct section_options *options; /* of the searches */
    bool full_width;                       /* buffers that span a window are cut out of it */
    struct feasible_window *feasible;
    size_t n_feasible, feasible_capacity;
    size_t last_from, last_to; /* the window that refuted last; equal: none */
    size_t *map;               /* scratch */
    size_t memo_bytes;         /* of one window's search */
    uint32_t seed;
    int64_t nodes; /* placements so far */
};

void section_windows_init(struct section_windows *windows, const struct section_problem *problem,
                          const struct section_options *options, bool full_width, size_t memo_bytes,
                          uint32_t seed);
void section_windows_clear(struct section_windows *windows);

/* OPTIONS have to stay.  With FULL_WIDTH, buffers that span a window are taken out of it
 * and the capacity is lowered by their sizes: nothing lies beside them, so the rest can
 * be pushed together.  (Not where starts are aligned.)  */

/* Whether a window with at most NODES placements each refutes CAPACITY; windows of 2
 * to 8 sections, then ever wider ones by a quarter, at every quarter of their width,
 * the one that refuted last first.  False too when timer_now() passes DEADLINE.  */
bool section_windows_refute(struct section_windows *windows, int64_t capacity, int64_t nodes,
                            double deadline);

#endif
