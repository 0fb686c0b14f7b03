/* The rows are shared among processes, so they hold no pointers.  */
#include <config.h>

#include "harness/comparison.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/parent.h"
#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "solvers/solver.h"

struct entry {
    bool ended;
    struct comparison_row row;
};

struct board {
    _Atomic(size_t) next; /* contestant to run */
    struct entry entry[];
};

static void show_progress(const struct comparison *comparison, size_t i)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%zu/%zu %s", i + 1, comparison->contestants->count,
                comparison->contestants->item[i].label);
}

static void run_one(const struct comparison *comparison, struct board *board, size_t i)
{
    struct comparison_row *row = &board->entry[i].row;
    struct run_result result;

    show_progress(comparison, i);
    run_solver(comparison->instance, &comparison->contestants->item[i], comparison->seed,
               &comparison->limits, &result);
    row->outcome = result.outcome;
    row->has_plan = result.plan != NULL && result.outcome != OUTCOME_INVALID;
    row->peak = row->has_plan ? result.plan->peak : 0;
    row->load = result.load;
    row->lower_bound = result.lower_bound;
    row->rounded = result.rounded;
    row->time_s = result.time_s;
    memcpy(row->reason, result.reason, sizeof row->reason);
    board->entry[i].ended = true;
    run_result_clear(&result);
}

static void work(const struct comparison *comparison, struct board *board)
{
    size_t i;

    while ((i = atomic_fetch_add(&board->next, 1)) < comparison->contestants->count)
        run_one(comparison, board, i);
}

/* This process and JOBS - 1 others take the contestants one after the other;
 * those that can't be started are done without.  */
static void run_all(const struct comparison *comparison, struct board *board, int64_t jobs)
{
    int64_t others = min64(jobs, (int64_t)comparison->contestants->count) - 1;
    pid_t *worker = memory_zalloc((size_t)max64(others, 0), sizeof *worker);
    pid_t parent = getpid();

    fflush(stdout);
    for (int64_t j = 0; j < others; j++) {
        worker[j] = fork();
        if (worker[j] != 0)
            continue;
        parent_follow(parent);
        work(comparison, board);
        _exit(EXIT_SUCCESS);
    }
    work(comparison, board);
    for (int64_t j = 0; j < others; j++)
        while (worker[j] > 0 && waitpid(worker[j], NULL, 0) < 0 && errno == EINTR)
            continue;
    free(worker);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static void take_rows(struct comparison *comparison, const struct board *board)
{
    size_t count = comparison->contestants->count;

    comparison->row = memory_alloc(count, sizeof *comparison->row);
    for (size_t i = 0; i < count; i++) {
        struct comparison_row *row = &comparison->row[i];

        *row = board->entry[i].row;
        if (board->entry[i].ended)
            continue;
        *row = (struct comparison_row){.outcome = OUTCOME_CRASHED,
                                       .load = comparison->instance->load,
                                       .lower_bound = comparison->instance->load};
        snprintf(row->reason, sizeof row->reason, "the process that judges it died");
    }
}

/* --- what the rows say about one another --- */

/* Shared objects and rounded buffers are other problems: what is proven there is
 * no bound here.  */
static bool proves(const struct comparison *comparison, size_t i)
{
    const struct comparison_row *row = &comparison->row[i];

    return row->outcome != OUTCOME_SKIPPED && row->outcome != OUTCOME_INVALID && !row->rounded &&
           comparison->contestants->item[i].entry->solver->layout == LAYOUT_ARENA;
}

/* The row with the lowest verified peak, or SIZE_MAX.  */
static size_t best_plan(const struct comparison *comparison)
{
    const struct comparison_row *row = comparison->row;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (row[i].has_plan && (best == SIZE_MAX || row[i].peak < row[best].peak))
            best = i;
    return best;
}

/* A bound above another contestant's verified peak is refuted.  */
static void refute_bounds(const struct comparison *comparison, size_t best)
{
    for (size_t i = 0; i < comparison->contestants->count; i++) {
        struct comparison_row *row = &comparison->row[i];
        int64_t peak = comparison->row[best].peak;

        if (!proves(comparison, i) || row->lower_bound <= peak)
            continue;
        snprintf(row->reason, sizeof row->reason,
                 "it claims a lower bound of %" PRId64 ", %.99s has a plan of peak %" PRId64,
                 row->lower_bound, comparison->contestants->item[best].label, peak);
        row->outcome = OUTCOME_INVALID;
        row->has_plan = false;
        row->lower_bound = comparison->instance->load;
    }
}

/* Who proved the highest bound above the load, or SIZE_MAX.  */
static size_t best_bound(const struct comparison *comparison)
{
    const struct comparison_row *row = comparison->row;
    int64_t bound = comparison->instance->load;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (proves(comparison, i) && row[i].lower_bound > bound) {
            bound = row[i].lower_bound;
            best = i;
        }
    return best;
}

/* The rule is run_result_apply_bound's, which looks at no offsets.  */
static void apply_bound(struct comparison_row *row, int64_t bound)
{
    struct plan plan = {.peak = row->peak};
    struct run_result result = {
        .outcome = row->outcome,
        .plan = row->has_plan ? &plan : NULL,
    };

    run_result_apply_bound(&result, bound);
    row->outcome = result.outcome;
    row->lower_bound = result.lower_bound; /* no lower than its own, unless that was no bound */
}

static void judge(struct comparison *comparison)
{
    size_t best = best_plan(comparison);

    if (best != SIZE_MAX)
        refute_bounds(comparison, best);
    comparison->prover = best_bound(comparison);
    comparison->bound = comparison->prover == SIZE_MAX
                            ? comparison->instance->load
                            : comparison->row[comparison->prover].lower_bound;
    best = best_plan(comparison); /* a liar's plan does not count */
    comparison->proven = best != SIZE_MAX && comparison->row[best].peak == comparison->bound;
    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (!comparison->row[i].rounded)
            apply_bound(&comparison->row[i], comparison->bound);
}

bool comparison_run(struct comparison *comparison, int64_t jobs, struct error *error)
{
    size_t bytes = sizeof(struct board) + comparison->contestants->count * sizeof(struct entry);
    struct board *board =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (board == MAP_FAILED)
        return error_set(error, "no memory to share with processes: %s", strerror(errno));
    run_all(comparison, board, jobs);
    take_rows(comparison, board);
    munmap(board, bytes);
    judge(comparison);
    return true;
}

void comparison_clear(struct comparison *comparison)
{
    free(comparison->row);
    comparison->row = NULL;
}
