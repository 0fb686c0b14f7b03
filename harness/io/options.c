/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/options.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/expand.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/people.h"
#include "lib/base/suggest.h"

static void print_complaint(const char *format, va_list args)
{
    char *text;

    fflush(stdout);
    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    people_print(stderr, "arenabench: %s\n", text);
    free(text);
}

bool complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return false;
}

int complain_as(int status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_complaint(format, args);
    va_end(args);
    return status;
}

#define MIB ((int64_t)1 << 20)

static const char *const format_words[] = {
    [TABLE_TEXT] = "text", [TABLE_CSV] = "csv", [TABLE_JSON] = "json"};

static size_t count_options(const struct command_usage *usage)
{
    size_t count = 0;

    while (usage->options != NULL && usage->options[count].name != NULL)
        count++;
    return count;
}

static void print_default(const struct option_spec *option)
{
    switch (option->type) {
    case OPTION_FLAG:
    case OPTION_MAYBE:
    case OPTION_LIST:
        break;
    case OPTION_FORMAT:
        printf(" (default %s)", format_words[*(enum table_format *)option->target]);
        break;
    case OPTION_TEXT:
        if (*(const char **)option->target != NULL)
            printf(" (default %s)", *(const char **)option->target);
        break;
    case OPTION_INT:
    case OPTION_BYTES:
    case OPTION_MIB:
        printf(" (default %" PRId64 ")", *(int64_t *)option->target);
        break;
    case OPTION_REAL:
    case OPTION_SECONDS:
        if (!isnan(*(double *)option->target))
            printf(" (default %g)", *(double *)option->target);
        break;
    }
}

static int print_help(const struct command_usage *usage)
{
    printf("Usage: arenabench %s [OPTION]... %s\n%s\n\nOptions:\n", usage->name, usage->arguments,
           usage->summary);
    for (size_t i = 0; i < count_options(usage); i++) {
        const struct option_spec *option = &usage->options[i];
        char left[64];

        if (option->type == OPTION_MAYBE)
            snprintf(left, sizeof left, "--%s[=%s]", option->name, option->argument);
        else
            snprintf(left, sizeof left, "--%s%s%s", option->name,
                     option->argument != NULL ? " " : "",
                     option->argument != NULL ? option->argument : "");
        printf("  %-24s %s", left, option->help);
        print_default(option);
        putchar('\n');
    }
    printf("  %-24s %s\n", "--help", "print this help and end");
    return STATUS_DONE;
}

static bool take_format(const char *command, const char *text, enum table_format *format)
{
    const size_t count = sizeof format_words / sizeof format_words[0];
    size_t index = option_word(command, "format", text, format_words, count);

    *format = (enum table_format)index;
    return index < count;
}

/* In [LOW, HIGH], be it with a unit or without.  */
static bool take_mib(const char *text, int64_t low, int64_t high, int64_t *mib)
{
    int64_t bytes;

    if (parse_int(text, low, high, mib))
        return true;
    if (!parse_bytes(text, 0, INT64_MAX, &bytes))
        return false;
    *mib = bytes / MIB + (bytes % MIB > 0);
    return *mib >= low && *mib <= high;
}

/* What is expected of a number.  */
static const char *number_name(enum option_type type)
{
    return type == OPTION_INT       ? "whole number"
           : type == OPTION_SECONDS ? "time (5, 5s, 500ms, 2min)"
           : type == OPTION_BYTES   ? "number of bytes (2097152, 2MiB, 2MB)"
           : type == OPTION_MIB     ? "number of MiB (64, 64MiB, 2GB)"
                                    : "number";
}

static bool take_number(const struct option_spec *option, const char *text, double low, double high)
{
    const int64_t least = low <= -PARAM_NO_LIMIT ? INT64_MIN : (int64_t)low;
    const int64_t most = high >= PARAM_NO_LIMIT ? INT64_MAX : (int64_t)high;

    switch (option->type) {
    case OPTION_INT:
        return parse_int(text, least, most, option->target);
    case OPTION_BYTES:
        return parse_bytes(text, least, most, option->target);
    case OPTION_MIB:
        return take_mib(text, least, most, option->target);
    case OPTION_SECONDS:
        return parse_seconds(text, low, high, option->target);
    default:
        return parse_real(text, low, high, option->target);
    }
}

static bool take_value(const struct command_usage *usage, const struct option_spec *option,
                       const char *text)
{
    bool limited = option->low != 0.0 || option->high != 0.0;
    double low = limited ? option->low : -PARAM_NO_LIMIT;
    double high = limited ? option->high : PARAM_NO_LIMIT;

    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case OPTION_TEXT:
        *(const char **)option->target = text;
        break;
    case OPTION_FORMAT:
        return take_format(usage->name, text, option->target);
    case OPTION_LIST:
        text_list_add(option->target, text);
        break;
    case OPTION_MAYBE:
        *(const char **)option->target = text != NULL ? text : "";
        break;
    default:
        if (take_number(option, text, low, high))
            return true;
        if (limited)
            return complain("%s: --%s %s: expected a %s from %.16g to %.16g", usage->name,
                            option->name, text, number_name(option->type), low, high);
        return complain("%s: --%s %s: expected a %s", usage->name, option->name, text,
                        number_name(option->type));
    }
    return true;
}

static int unknown_option(const struct command_usage *usage, const char *given)
{
    size_t count = count_options(usage);
    const char **names = memory_alloc(count + 1, sizeof *names);
    char meant[256];

    for (size_t i = 0; i < count; i++)
        names[i] = usage->options[i].name;
    if (access(given, F_OK) == 0)
        complain("%s: unknown option '%s'; the file of this name is ./%s", usage->name, given,
                 given);
    else if (suggest(meant, sizeof meant, "--", given + strspn(given, "-"), names, count))
        complain("%s: unknown option '%s' (%s)", usage->name, given, meant);
    else
        complain("%s: unknown option '%s'; see 'arenabench %s --help'", usage->name, given,
                 usage->name);
    free(names);
    return STATUS_USAGE;
}

static int check_count(const struct command_usage *usage, char *const *argument, int count)
{
    if (count < usage->min_arguments)
        return complain_as(STATUS_USAGE, "%s: %s expected; see 'arenabench %s --help'", usage->name,
                           usage->arguments, usage->name);
    if (usage->max_arguments < 0 || count <= usage->max_arguments)
        return -1;
    /* Parameters are of the name before, behind a colon or a comma.  */
    if (count == usage->max_arguments + 1 && strchr(argument[count - 1], '=') != NULL)
        return complain_as(STATUS_USAGE, "%s: too many arguments (did you mean '%s%c%s'?)",
                           usage->name, argument[count - 2],
                           strchr(argument[count - 2], ':') == NULL ? ':' : ',',
                           argument[count - 1]);
    return complain_as(STATUS_USAGE, "%s: too many arguments (expected %s)", usage->name,
                       usage->arguments);
}

/* getopt's word for it.  */
static int takes(enum option_type type)
{
    return type == OPTION_FLAG    ? no_argument
           : type == OPTION_MAYBE ? optional_argument
                                  : required_argument;
}

/* The argument that getopt has stopped at.  Among letters behind one dash it stays there until it
 * has seen them all.  */
static const char *stopped_at(char *const *argv)
{
    const char *before = optind > 0 ? argv[optind - 1] : "";

    if (optopt == 0 || (before[0] == '-' && before[1] == optopt && before[2] == '\0') ||
        argv[optind] == NULL)
        return before;
    return argv[optind];
}

int options_parse(const struct command_usage *usage, int argc, char **argv, char ***arguments,
                  int *count)
{
    enum { FIRST = 256 };
    size_t options = count_options(usage);
    struct option *option = memory_zalloc(options + 2, sizeof *option);
    int status = -1, code;

    for (size_t i = 0; i < options; i++)
        option[i] = (struct option){usage->options[i].name, takes(usage->options[i].type), NULL,
                                    FIRST + (int)i};
    option[options] = (struct option){"help", no_argument, NULL, 'h'};
    optind = 0; /* a fresh scan: glibc's way to reset getopt */
    opterr = 0;
    while (status < 0 && (code = getopt_long(argc, argv, ":h", option, NULL)) != -1) {
        const char *given = optind > 0 ? argv[optind - 1] : "";

        if (code == 'h')
            status = print_help(usage);
        else if (code == ':')
            status = complain_as(STATUS_USAGE, "%s: option '%s' needs a value", usage->name, given);
        else if (code == '?')
            status = unknown_option(usage, stopped_at(argv));
        else if (!take_value(usage, &usage->options[code - FIRST], optarg))
            status = STATUS_USAGE;
    }
    free(option);
    if (status >= 0)
        return status;
    *arguments = argv + optind;
    *count = argc - optind;
    return check_count(usage, *arguments, *count);
}

size_t option_word(const char *command, const char *option, const char *text,
                   const char *const *words, size_t count)
{
    char *expected = memory_strdup(""), meant[256];

    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0) {
            free(expected);
            return i;
        }
    for (size_t i = 0; i < count; i++)
        expected = memory_append(expected, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 words[i]);
    if (suggest(meant, sizeof meant, "", text, words, count))
        complain("%s: --%s %s: expected %s (%s)", command, option, text, expected, meant);
    else
        complain("%s: --%s %s: expected %s", command, option, text, expected);
    free(expected);
    return count;
}
