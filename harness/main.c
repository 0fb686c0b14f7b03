/* The program: finds the command and runs it.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/buildinfo.h"
#include "harness/commands.h"
#include "harness/options.h"
#include "lib/error.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"list", command_list, "tables of what there is, with the source of each"},
    {"lifetimes", command_lifetimes, "write an instance as CSV"},
    {"solve", command_solve, "one solver on one instance; its plan as CSV"},
    {"compare", command_compare, "every solver on one instance, as a table"},
    {"verify", command_verify, "judge any plan"},
    {"draw", command_draw, "a picture of a plan: time x address"},
    {"bounds", command_bounds, "load, width, W and the bounds that follow"},
    {"schedule", command_schedule, "steps of a network and how long they take"},
    {"loops", command_loops, "what loops copy, and where their values are"},
    {"sweep", command_sweep, "run experiments and keep their results"},
    {"conv", command_conv, "convolution kernels side by side on layers"},
    {"report", command_report, "figures, tables and the summary page of a sweep"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_usage(void)
{
    puts("Usage: arenabench COMMAND [OPTION]... [ARGUMENT]...\n"
         "Compares memory planners for neural networks.\n\nCommands:");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-12s %s\n", commands[i].name, commands[i].help);
    puts("\n'arenabench COMMAND --help' tells more.  An INSTANCE is a network (resnet50),\n"
         "a generator (uniform:n=40,seed=7) or a file (model.csv).");
    return STATUS_DONE;
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

static int run(int argc, char **argv)
{
    if (argc < 2) {
        complain("a command is expected; see 'arenabench --help'");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0)
        return print_usage();
    if (strcmp(argv[1], "--version") == 0) {
        printf("arenabench %s\n", BUILD_VERSION);
        return STATUS_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

/* Output that is lost, on a full disk for one, is a failure of every command.  */
int main(int argc, char **argv)
{
    int status = run(argc, argv);

    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE) {
        complain("standard output: %s", strerror(errno));
        status = STATUS_FAILED;
    }
    return status;
}
