/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: finds the command and runs it.  */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/io/buildinfo.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/base/file.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
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

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_usage(void)
{
    puts("Usage: arenabench COMMAND [OPTION]... [ARGUMENT]...\n"
         "Compares memory planners for neural networks.\n\nCommands:");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-12s %s\n", commands[i].name, commands[i].help);
    puts("\n'arenabench help COMMAND' or 'arenabench COMMAND --help' tells more, and\n"
         "'arenabench --version' which one this is.  An INSTANCE is a network (resnet50),\n"
         "a generator (uniform:n=40,seed=7) or a file (model.csv).");
    return STATUS_DONE;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int print_version(void)
{
    printf("arenabench %s\n", BUILD_VERSION);
    return STATUS_DONE;
}

static bool asks_for_help(const char *text)
{
    return strcmp(text, "-h") == 0 || strcmp(text, "--help") == 0;
}

static bool asks_for_version(const char *text)
{
    return strcmp(text, "-V") == 0 || strcmp(text, "--version") == 0;
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS];
    struct error error;

    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    error_unknown(&error, "command", name, names, COMMANDS, "; see 'arenabench --help'");
    complain("%s", error.text);
    return STATUS_USAGE;
}

/* The help of the command that is named, or of the program.  */
static int help(int argc, char **argv)
{
    char ask[] = "--help";
    const struct command *command;

    if (argc < 2 || asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return print_usage();
    if (argc > 2) {
        complain("help: too many arguments (expected one command)");
        return STATUS_USAGE;
    }
    command = find_command(argv[1]);
    return command == NULL ? unknown_command(argv[1])
                           : command->run(2, (char *[]){argv[1], ask, NULL});
}

static int run(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2) {
        complain("a command is expected; see 'arenabench --help'");
        return STATUS_USAGE;
    }
    if (asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    if (asks_for_version(argv[1]) || strcmp(argv[1], "version") == 0)
        return print_version();
    command = find_command(argv[1]);
    if (command == NULL)
        return unknown_command(argv[1]);
    if (argc == 3 && asks_for_version(argv[2]))
        return print_version();
    return command->run(argc - 1, argv + 1);
}

/* A file that is opened must not become the standard output of who closed that: what is
 * there instead takes nothing.  */
static void fill_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Output that is lost, on a full disk for one, is a failure of every command.  */
int main(int argc, char **argv)
{
    int status;

    fill_standard_files();
    status = run(argc, argv);
    if (status == STATUS_DONE && !file_flush(stdout)) {
        complain("standard output: %s", strerror(errno));
        status = STATUS_FAILED;
    }
    return status;
}
