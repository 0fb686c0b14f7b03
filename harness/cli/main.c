/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: finds the command and runs it.  */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/io/buildinfo.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"

static int print_usage(FILE *out)
{
    fputs("Usage: arenabench COMMAND [OPTION]... [ARGUMENT]...\n"
          "Compares memory planners for neural networks.\n\nCommands:\n",
          out);
    for (size_t i = 0; i < n_commands; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].help);
    fputs("\n'arenabench help COMMAND' or 'arenabench COMMAND --help' tells more, and\n"
          "'arenabench --version' which one this is.  An INSTANCE is a network (resnet50),\n"
          "a generator (uniform:n=40,seed=7) or a file (model.csv).\n",
          out);
    return STATUS_DONE;
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
    const char **names = memory_alloc(n_commands, sizeof *names);
    struct error error;

    for (size_t i = 0; i < n_commands; i++)
        names[i] = commands[i].name;
    error_unknown(&error, "command", name, names, n_commands, "; see 'arenabench --help'");
    free(names);
    complain("%s", error.text);
    return STATUS_USAGE;
}

/* The help of the command that is named, or of the program.  */
static int help(int argc, char **argv)
{
    char ask[] = "--help";
    const struct command *command;

    if (argc < 2 || asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return print_usage(stdout);
    if (argc > 2) {
        complain("help: too many arguments (expected one command)");
        return STATUS_USAGE;
    }
    command = command_find(argv[1]);
    return command == NULL ? unknown_command(argv[1])
                           : command->run(2, (char *[]){argv[1], ask, NULL});
}

static int run(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2) {
        print_usage(stderr);
        return STATUS_USAGE;
    }
    if (asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    if (asks_for_version(argv[1]) || strcmp(argv[1], "version") == 0)
        return print_version();
    command = command_find(argv[1]);
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
