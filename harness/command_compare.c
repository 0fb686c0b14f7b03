/* compare: every solver on one instance, as a table.  */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/commands.h"
#include "harness/contestants.h"
#include "harness/format.h"
#include "harness/input.h"
#include "harness/options.h"
#include "harness/runner.h"
#include "lib/checked.h"
#include "lib/error.h"
#include "lib/instance.h"
#include "solvers/solver.h"

/* The first six are the contract; others are only appended.  `gap` is to the
 * optimum and stands only where one is proven, `gap_to_bound` to the best
 * lower bound.  */
static const char *const columns[] = {"solver", "outcome", "peak",         "lower_bound", "load",
                                      "time_s", "gap",     "gap_to_bound", "layout",      "reason"};

/* What the table needs of a run; workers write it to shared memory.  */
struct row {
    bool ended;
    enum outcome outcome;
    bool has_plan; /* a verified one */
    int64_t peak, lower_bound;
    double time_s;
    char reason[sizeof((struct run_result *)0)->reason];
};

/* The rows and the next one to run, shared among the workers.  */
struct board {
    _Atomic(size_t) next;
    struct row row[];
};

struct comparison {
    const struct instance *instance;
    struct contestants contestants;
    struct run_limits limits;
    uint32_t seed;
    struct board *board;
};

static void show_progress(const struct comparison *comparison, size_t i)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%zu/%zu %s", i + 1, comparison->contestants.count,
                comparison->contestants.item[i].label);
}

static void run_row(const struct comparison *comparison, size_t i)
{
    struct row *row = &comparison->board->row[i];
    struct run_result result;

    show_progress(comparison, i);
    run_solver(comparison->instance, &comparison->contestants.item[i], comparison->seed,
               &comparison->limits, &result);
    row->outcome = result.outcome;
    row->has_plan = result.plan != NULL && result.outcome != OUTCOME_INVALID;
    row->peak = row->has_plan ? result.plan->peak : 0;
    row->lower_bound = result.lower_bound;
    row->time_s = result.time_s;
    memcpy(row->reason, result.reason, sizeof row->reason);
    row->ended = true;
    run_result_clear(&result);
}

static void work(const struct comparison *comparison)
{
    size_t i;

    while ((i = atomic_fetch_add(&comparison->board->next, 1)) < comparison->contestants.count)
        run_row(comparison, i);
}

/* JOBS processes take the contestants one after the other.  A single job needs
 * none, nor does one that could not be had.  */
static void run_all(const struct comparison *comparison, int64_t jobs)
{
    pid_t parent = getpid();

    fflush(stdout);
    for (int64_t j = 1; j < jobs; j++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() == parent)
                work(comparison);
            _exit(0);
        }
    work(comparison);
    while (wait(NULL) >= 0 || errno == EINTR)
        continue;
    for (size_t i = 0; i < comparison->contestants.count; i++) {
        struct row *row = &comparison->board->row[i];

        if (!row->ended) {
            row->outcome = OUTCOME_CRASHED;
            snprintf(row->reason, sizeof row->reason, "the process that judges it died");
        }
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* --- what the rows say about one another --- */

/* Shared objects are another problem: what is proven there is no bound here.  */
static bool proves(const struct comparison *comparison, size_t i)
{
    const struct row *row = &comparison->board->row[i];

    return row->outcome != OUTCOME_SKIPPED && row->outcome != OUTCOME_INVALID &&
           comparison->contestants.item[i].entry->solver->layout == LAYOUT_ARENA;
}

/* The row with the lowest verified peak, or SIZE_MAX.  */
static size_t best_plan(const struct comparison *comparison)
{
    const struct row *row = comparison->board->row;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants.count; i++)
        if (row[i].has_plan && (best == SIZE_MAX || row[i].peak < row[best].peak))
            best = i;
    return best;
}

/* A bound above another contestant's verified peak is refuted.  */
static void refute_bounds(const struct comparison *comparison, size_t best)
{
    for (size_t i = 0; i < comparison->contestants.count; i++) {
        struct row *row = &comparison->board->row[i];
        int64_t peak = comparison->board->row[best].peak;

        if (!proves(comparison, i) || row->lower_bound <= peak)
            continue;
        snprintf(row->reason, sizeof row->reason,
                 "it claims a lower bound of %" PRId64 ", %.99s has a plan of peak %" PRId64,
                 row->lower_bound, comparison->contestants.item[best].label, peak);
        row->outcome = OUTCOME_INVALID;
        row->has_plan = false;
        row->lower_bound = comparison->instance->load;
    }
}

/* The contestant who proved the highest bound above the load, or SIZE_MAX.  */
static size_t best_bound(const struct comparison *comparison)
{
    const struct row *row = comparison->board->row;
    int64_t bound = comparison->instance->load;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants.count; i++)
        if (proves(comparison, i) && row[i].lower_bound > bound) {
            bound = row[i].lower_bound;
            best = i;
        }
    return best;
}

/* The rule is run_result_apply_bound's, which looks at no offsets.  */
static void apply_bound(struct row *row, int64_t bound)
{
    struct plan plan = {.peak = row->peak};
    struct run_result result = {
        .outcome = row->outcome,
        .plan = row->has_plan ? &plan : NULL,
        .lower_bound = row->lower_bound,
    };

    run_result_apply_bound(&result, bound);
    row->outcome = result.outcome;
    row->lower_bound = result.lower_bound;
}

/* --- the table --- */

/* Exact for programs, DIGITS after the point for people.  */
static void add_real(struct table *table, enum table_format format, int digits, double value)
{
    if (format == TABLE_CSV)
        table_cell(table, "%.17g", value);
    else
        table_cell(table, "%.*f", digits, value);
}

static void add_gap(struct table *table, enum table_format format, const struct row *row,
                    bool known)
{
    if (!row->has_plan || !known || row->lower_bound == 0)
        table_cell(table, "%s", "");
    else
        add_real(table, format, 4, (double)row->peak / (double)row->lower_bound - 1.0);
}

static void add_row(struct table *table, enum table_format format,
                    const struct comparison *comparison, size_t i, bool proven)
{
    const struct row *row = &comparison->board->row[i];
    const struct contestant *contestant = &comparison->contestants.item[i];

    table_cell(table, "%s", contestant->label);
    table_cell(table, "%s", outcome_name(row->outcome));
    if (row->has_plan)
        table_cell(table, "%" PRId64, row->peak);
    else
        table_cell(table, "%s", "");
    if (row->outcome == OUTCOME_SKIPPED) {
        for (int c = 0; c < 3; c++)
            table_cell(table, "%s", "");
    } else {
        table_cell(table, "%" PRId64, row->lower_bound);
        table_cell(table, "%" PRId64, comparison->instance->load);
        add_real(table, format, 6, row->time_s);
    }
    add_gap(table, format, row, proven);
    add_gap(table, format, row, true);
    table_cell(table, "%s", layout_name(contestant->entry->solver->layout));
    table_cell(table, "%s", row->reason);
}

static void print_note(const struct comparison *comparison, int64_t bound, size_t prover,
                       bool proven)
{
    const struct instance *instance = comparison->instance;

    fprintf(stderr,
            "\n%s: %zu buffers, load %" PRId64 ", width %" PRId64 "; best lower bound %" PRId64
            " (%s)%s\n",
            instance->name, instance->n, instance->load, instance->width, bound,
            prover == SIZE_MAX ? "the load" : comparison->contestants.item[prover].label,
            proven ? ", which is the optimum" : "");
}

static int report(const struct comparison *comparison, enum table_format format)
{
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);
    struct row *row = comparison->board->row;
    size_t best = best_plan(comparison), prover;
    int64_t bound = comparison->instance->load;
    bool proven, bad = false;
    int status;

    if (best != SIZE_MAX)
        refute_bounds(comparison, best);
    best = best_plan(comparison);
    prover = best_bound(comparison);
    if (prover != SIZE_MAX)
        bound = row[prover].lower_bound;
    proven = best != SIZE_MAX && row[best].peak == bound;
    for (size_t i = 0; i < comparison->contestants.count; i++) {
        apply_bound(&row[i], bound);
        bad = bad || row[i].outcome == OUTCOME_INVALID || row[i].outcome == OUTCOME_CRASHED;
        add_row(table, format, comparison, i, proven);
    }
    status = table_finish(table, format);
    if (format == TABLE_TEXT)
        print_note(comparison, bound, prover, proven);
    return bad ? STATUS_FAILED : status;
}

static int compare(struct comparison *comparison, int64_t jobs, enum table_format format)
{
    size_t bytes = sizeof *comparison->board +
                   comparison->contestants.count * sizeof comparison->board->row[0];
    int status;

    comparison->board =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (comparison->board == MAP_FAILED) {
        complain("compare: %s", strerror(errno));
        return STATUS_FAILED;
    }
    run_all(comparison, min64(jobs, (int64_t)comparison->contestants.count));
    status = report(comparison, format);
    munmap(comparison->board, bytes);
    return status;
}

static int prepare_and_compare(const char *spec, const char *solvers, int64_t jobs,
                               const char *format_text, struct comparison *comparison)
{
    enum table_format format;
    struct instance *instance;
    struct error error;
    int status = STATUS_USAGE;

    if (!format_parse("compare", format_text, &format))
        return STATUS_USAGE;
    if (solvers == NULL) {
        contestants_all(&comparison->contestants);
    } else if (!contestants_parse(&comparison->contestants, solvers, &error)) {
        complain("compare: %s", error.text);
        return STATUS_USAGE;
    }
    instance = input_instance("compare", spec);
    comparison->instance = instance;
    if (instance != NULL)
        status = compare(comparison, jobs, format);
    instance_free(instance);
    contestants_clear(&comparison->contestants);
    return status;
}

int command_compare(int argc, char **argv)
{
    const char *solvers = NULL, *format = "text";
    struct comparison comparison = {.limits = {.time_s = 10}};
    int64_t memory_mib = 0, jobs = 1, seed = 1;
    const struct option_spec options[] = {
        {"solvers", OPTION_TEXT, &solvers, "A,B:KEY=VALUE,...", "these, not all", 0, 0},
        {"time-limit", OPTION_REAL, &comparison.limits.time_s, "SECONDS", "a solver; 0: none", 0,
         1e9},
        {"memory-limit", OPTION_INT, &memory_mib, "MIB", "a solver; 0: half of the memory / jobs",
         0, 1 << 30},
        {"work-limit", OPTION_INT, &comparison.limits.work, "N", "nodes or iterations; 0: none", 0,
         1e18},
        {"seed", OPTION_INT, &seed, "N", "for solvers that draw random numbers", 1, UINT32_MAX},
        {"jobs", OPTION_INT, &jobs, "N", "solvers that run at the same time", 1, 1024},
        {"format", OPTION_TEXT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "compare",
        "INSTANCE",
        "Runs every solver on one instance and prints what each found.  The best lower bound\n"
        "that any of them proved counts for all.  `gap` is peak / optimum - 1 and stands only\n"
        "where the optimum is proven; `gap_to_bound` is peak / lower bound - 1.  Exit status\n"
        "1: some plan was invalid or some solver crashed.\n\n"
        "In --solvers the comma also separates parameters: KEY=VALUE after a solver that\n"
        "has a colon is one more parameter of it.  exec:COMMAND takes the rest of the text,\n"
        "so it stands last.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    comparison.seed = (uint32_t)seed;
    comparison.limits.memory_bytes = memory_mib > 0 ? memory_mib << 20 : run_default_memory(jobs);
    return prepare_and_compare(arguments[0], solvers, jobs, format, &comparison);
}
