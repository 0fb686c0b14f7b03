/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one solver on one instance in a process of its own, under limits.
 *
 * The child streams incumbents and bounds through shared memory with two
 * slots, so that the last complete plan survives a crash, a kill or an abort
 * inside a library.  The parent verifies and replays what it finds there.  */
#ifndef ARENABENCH_HARNESS_RUN_RUNNER_H
#define ARENABENCH_HARNESS_RUN_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/run/run.h"
#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/judge/verify.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"

struct instance;
struct solver;
struct solver_entry;
struct watch;

/* A solver with its parameters, parsed from `name@limit:key=value,...`.  */
struct contestant {
    const struct solver_entry *entry;
    char *spec;  /* the solver's name plus canonical parameters, without the limit */
    char *name;  /* the solver's, or of a command that has one `exec:NAME` */
    char *label; /* what people see: the name alone where a command has one, else the spec */
    char *build; /* checksum of what makes it; NULL before contestant_identify */
    struct params params;
    double time_s; /* a limit of its own; 0: that of all */
    FILE *proof;   /* env->proof of its runs, the caller's; contestant_parse: NULL */
};

/* SPEC is `name`, `name:key=value,...`, `exec:COMMAND` or `exec:NAME=COMMAND`, with `@5s`,
 * `@200ms` or `@2min` after the solver's name for a time limit of its own.  NAME begins with a
 * small letter and goes on with these, digits, `-`, `_` and `.`.  */

bool contestant_parse(struct contestant *contestant, const char *spec, struct error *error);
/* The length of the name that `NAME=COMMAND` in TEXT, what follows SOLVER's colon, gives a
 * command; 0: none.  */
size_t contestant_command_name(const struct solver *solver, const char *text);
/* The limits of its runs where LIMITS are those of all: a time limit of its own goes before.  */
struct run_limits contestant_limits(const struct contestant *contestant,
                                    const struct run_limits *limits);
/* Whether the seed changes what the solver does with these parameters.  */
bool contestant_takes_seed(const struct contestant *contestant);
/* Looks at all that a contestant's results depend on beside its label (identity.c): the
 * sources of its solver, and the files that a command names.  The build says the same
 * as long as these do.  False with a message when a file can't be read to its end.  */
bool contestant_identify(struct contestant *contestant, struct error *error);
void contestant_clear(struct contestant *contestant);

struct run_result {
    enum outcome outcome;
    char reason[256];    /* why skipped, invalid or crashed; a note otherwise */
    struct plan *plan;   /* the verified plan; for OUTCOME_INVALID the refused one; or NULL */
    int64_t lower_bound; /* bytes: max of the load and what this run proved, of which nothing
                            is believed when it is invalid; 0: skipped */
    bool joined;         /* the solver saw bounding rectangles: its own bound is only
                            joined_bound, of the joined instance */
    bool rounded;        /* the planner's native alignment: peak, load and bound are those of
                            the instance with sizes and offsets rounded by its own rule */
    int64_t load;        /* of the instance that peak and bound are of */
    int64_t joined_bound;
    bool timed;        /* a time limit cut the run: its plan is not reproducible */
    double time_s;     /* wall clock of solve() */
    double cpu_s;      /* user + system of the child */
    int64_t rss_bytes; /* largest resident set of the child */
    int64_t nodes;
    struct search_statistics statistics; /* what the solver counted, as far as it came */
    enum replay_kind replay;
    double verify_s, replay_s; /* time the parent took for them */
    size_t n_events;
    struct run_event *event;
    bool events_lost; /* more improvements than the trace holds */
};

/* How far a run is.  */
struct run_view {
    bool has_plan;
    int64_t peak;        /* of the best plan so far, which nobody has verified */
    int64_t lower_bound; /* max of the load and what the solver says it has proved */
};

/* Never fails: whatever happens is an outcome.  A run that WATCH (NULL: nobody) ends is one
 * at its time limit, for the reason "interrupted".  VIEW (or NULL) is as far as the run is
 * whenever WATCH looks.  The caller clears RESULT.  */
void run_solver_watched(const struct instance *instance, const struct contestant *contestant,
                        uint32_t seed, const struct run_limits *limits, const struct watch *watch,
                        struct run_view *view, struct run_result *result);
/* With nobody who looks on.  */
void run_solver(const struct instance *instance, const struct contestant *contestant, uint32_t seed,
                const struct run_limits *limits, struct run_result *result);
void run_result_clear(struct run_result *result);

/* Raises the result's bound to BEST_BOUND, which another run proved for the
 * same instance, and the outcome to OUTCOME_OPTIMAL where the verified peak
 * equals it.  */
void run_result_apply_bound(struct run_result *result, int64_t best_bound);

#endif
