/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the program, one file each, and the table of them.  */
#ifndef ARENABENCH_HARNESS_CLI_COMMANDS_H
#define ARENABENCH_HARNESS_CLI_COMMANDS_H

#include <stddef.h>

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
};

extern const struct command commands[];
extern const size_t n_commands;

/* NULL: there is none of that name.  */
const struct command *command_find(const char *name);

/* X(NAME, HELP) of each command, as the program's help shows them.  */
#define COMMANDS(X)                                                   \
    X(list, "tables of what there is, with the source of each")       \
    X(lifetimes, "write an instance as CSV")                          \
    X(solve, "one solver on one instance; its plan as CSV")           \
    X(compare, "solvers on one instance, as a table")                 \
    X(agree, "two solvers on random instances: where they differ")    \
    X(verify, "judge any plan, or all that a sweep has stored")       \
    X(draw, "a picture of a plan: time x address")                    \
    X(bounds, "load, width, W and the bounds that follow")            \
    X(fit, "several memories: what goes where, and at what cost")     \
    X(hazards, "streams, branches, costs of reuse: beyond lifetimes") \
    X(trace, "recorded allocations: what a static plan needs")        \
    X(schedule, "steps of a network and how long they take")          \
    X(run, "a network, for real, in its planned arena")               \
    X(loops, "what loops copy, and where their values are")           \
    X(sweep, "run experiments and keep their results")                \
    X(suite, "instances that everybody can compare planners on")      \
    X(conv, "convolution kernels side by side on layers")             \
    X(plans, "the plans that sweeps have stored")                     \
    X(report, "figures, tables and the summary page of a sweep")      \
    X(merge, "results of several machines as one")                    \
    X(rerun, "whether tasks of a sweep give the same again")          \
    X(rescue, "what can be read of a damaged results store")          \
    X(diff, "what got better or worse between two sweeps")

/* ARGV[0] is the command's name.  Each returns the exit status (enum status).  */
#define COMMAND_DECLARE(name, help) int command_##name(int argc, char **argv);
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
