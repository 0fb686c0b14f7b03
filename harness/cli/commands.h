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

/* As the program's help shows them.  */
extern const struct command commands[];
extern const size_t n_commands;

/* NULL: there is none of that name.  */
const struct command *command_find(const char *name);

/* ARGV[0] is the command's name.  Each returns the exit status (enum status).  */
int command_list(int argc, char **argv);
int command_lifetimes(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_agree(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_draw(int argc, char **argv);
int command_bounds(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_plans(int argc, char **argv);
int command_report(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_rescue(int argc, char **argv);
int command_rerun(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_run(int argc, char **argv);
int command_schedule(int argc, char **argv);
int command_loops(int argc, char **argv);
int command_suite(int argc, char **argv);
int command_conv(int argc, char **argv);

#endif
