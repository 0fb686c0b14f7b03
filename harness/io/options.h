/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GNU-style long options, the same way in every command.  */
#ifndef ARENABENCH_HARNESS_IO_OPTIONS_H
#define ARENABENCH_HARNESS_IO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum option_type {
    OPTION_FLAG,    /* no argument; *(bool *)target = true */
    OPTION_TEXT,    /* *(const char **)target */
    OPTION_FORMAT,  /* text, csv or json; *(enum table_format *)target */
    OPTION_LIST,    /* appended to *(struct text_list *)target, as often as it is given */
    OPTION_MAYBE,   /* the same after a '=' only: --name=TEXT, or --name for "" */
    OPTION_INT,     /* *(int64_t *)target, in [low, high] */
    OPTION_REAL,    /* *(double *)target, in [low, high] */
    OPTION_SECONDS, /* the same, by parse_seconds */
    OPTION_BYTES,   /* *(int64_t *)target, by parse_bytes */
    OPTION_MIB,     /* the same in MiB; with a unit, bytes, which make MiB, rounded up */
};

/* Of an OPTION_FORMAT, which is called format.  */
#define FORMAT_HELP "text for people, csv or json for programs"

struct option_spec {
    const char *name; /* "time-limit" */
    enum option_type type;
    void *target;         /* holds the default before the call */
    const char *argument; /* "SECONDS", for --help; NULL for flags */
    const char *help;     /* one line */
    double low, high;     /* numbers only; both 0: any */
};

struct command_usage {
    const char *name;                  /* "compare" */
    const char *arguments;             /* "INSTANCE" */
    const char *summary;               /* what it does, one or more lines */
    const struct option_spec *options; /* ends with a NULL name */
    int min_arguments, max_arguments;  /* max < 0: any number */
};

/* Parses options (before, between or after the arguments; "--" ends them).
 * Returns -1 and sets *ARGUMENTS and *COUNT to go on, or the exit status to
 * return at once: 0 after --help (printed), 2 after a message.  */
int options_parse(const struct command_usage *usage, int argc, char **argv, char ***arguments,
                  int *count);

/* The index of TEXT among the COUNT WORDS that OPTION of COMMAND takes, or COUNT after a message
 * that says what is expected.  */
size_t option_word(const char *command, const char *option, const char *text,
                   const char *const *words, size_t count);

/* "arenabench: TEXT" on standard error; false, for who returns that.  */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; STATUS (enum status), for who returns that.  */
int complain_as(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A file or folder of the project's data: `share_path("experiments/gap.cfg")`.
 * Looks in $ARENABENCH_SHARE, else in the source tree when the program runs
 * from its build tree, else where it was installed.  The caller frees it.  */
char *share_path(const char *name);

#endif
