/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/commands.h"

#include <string.h>

const struct command commands[] = {
    {"list", command_list, "tables of what there is, with the source of each"},
    {"lifetimes", command_lifetimes, "write an instance as CSV"},
    {"solve", command_solve, "one solver on one instance; its plan as CSV"},
    {"compare", command_compare, "solvers on one instance, as a table"},
    {"agree", command_agree, "two solvers on random instances: where they differ"},
    {"verify", command_verify, "judge any plan, or all that a sweep has stored"},
    {"draw", command_draw, "a picture of a plan: time x address"},
    {"bounds", command_bounds, "load, width, W and the bounds that follow"},
    {"schedule", command_schedule, "steps of a network and how long they take"},
    {"run", command_run, "a network, for real, in its planned arena"},
    {"loops", command_loops, "what loops copy, and where their values are"},
    {"sweep", command_sweep, "run experiments and keep their results"},
    {"suite", command_suite, "instances that everybody can compare planners on"},
    {"conv", command_conv, "convolution kernels side by side on layers"},
    {"plans", command_plans, "the plans that sweeps have stored"},
    {"report", command_report, "figures, tables and the summary page of a sweep"},
    {"merge", command_merge, "results of several machines as one"},
    {"rerun", command_rerun, "whether tasks of a sweep give the same again"},
    {"rescue", command_rescue, "what can be read of a damaged results store"},
    {"diff", command_diff, "what got better or worse between two sweeps"},
};

const size_t n_commands = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
