/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

static bool unknown_solver(const char *name, struct error *error)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        names = memory_grow(names, &capacity, count + 1, sizeof *names);
        names[count++] = entry->solver->name;
    }
    error_unknown(error, "solver", name, names, count, "; see 'arenabench list solvers'");
    free(names);
    return false;
}

/* The length of TEXT's beginning that can be the name of a command.  */
static size_t name_length(const char *text)
{
    return text[0] < 'a' || text[0] > 'z' ? 0
                                          : strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-");
}

size_t contestant_command_name(const struct solver *solver, const char *text)
{
    size_t length = name_length(text);

    if ((solver->capabilities & SOLVER_RAW_PARAMETER) == 0 || length == 0 || text[length] != '=')
        return 0;
    for (const struct param *p = solver->params; p->name != NULL; p++)
        if (strlen(p->name) == length && strncmp(p->name, text, length) == 0)
            return 0;
    return length;
}

/* `NAME=COMMAND` is short for `name=NAME,command=COMMAND`.  */
static bool parse_raw(struct contestant *contestant, const char *what, const char *text,
                      struct error *error)
{
    const struct solver *solver = contestant->entry->solver;
    size_t length = contestant_command_name(solver, text);
    char *whole = length == 0
                      ? memory_strdup(text)
                      : memory_printf("name=%.*s,command=%s", (int)length, text, text + length + 1);
    bool parsed = params_raw(&contestant->params, what, solver->params, whole, error);
    const char *name = parsed ? params_text(&contestant->params, "name") : "";

    if (name[name_length(name)] != '\0') {
        error_set(error, "%s: name '%.60s': expected small letters, digits, '-', '_' and '.'", what,
                  name);
        params_clear(&contestant->params);
        parsed = false;
    }
    free(whole);
    return parsed;
}

static bool parse_params(struct contestant *contestant, const char *text, struct error *error)
{
    const struct solver *solver = contestant->entry->solver;
    char *what;
    bool parsed;

    what = memory_printf("solver %s", solver->name);
    if ((solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
        parsed = parse_raw(contestant, what, text == NULL ? "" : text, error);
    else
        parsed = params_parse(&contestant->params, what, text, &solver->params, 1, error);
    free(what);
    return parsed;
}

static char *canonical_params(const struct contestant *contestant)
{
    const struct solver *solver = contestant->entry->solver;
    char *text, *command;

    if ((solver->capabilities & SOLVER_RAW_PARAMETER) == 0)
        return params_canonical(&contestant->params);
    command = params_raw_canonical(&contestant->params);
    /* A command that looks like one with a name.  */
    text = memory_printf(
        "%s%s", contestant_command_name(solver, command) > 0 ? "name=,command=" : "", command);
    free(command);
    return text;
}

/* What the contestant is called, by its own name where it is a command that has one.  */
static void make_names(struct contestant *contestant)
{
    const struct solver *solver = contestant->entry->solver;
    const char *own = (solver->capabilities & SOLVER_RAW_PARAMETER) != 0
                          ? params_text(&contestant->params, "name")
                          : "";
    char *canonical = canonical_params(contestant);
    bool named = own[0] != '\0';

    contestant->spec =
        memory_printf("%s%s%s", solver->name, canonical[0] == '\0' ? "" : ":", canonical);
    contestant->name = memory_printf("%s%s%s", solver->name, named ? ":" : "", named ? own : "");
    contestant->label = memory_strdup(named ? contestant->name : contestant->spec);
    free(canonical);
}

/* With a unit, which says that it is no parameter.  */
static bool parse_limit(const char *text, double *seconds)
{
    return isalpha((unsigned char)text[strlen(text) - (text[0] != '\0')]) &&
           parse_seconds(text, 0.0, 1e11, seconds) && *seconds > 0.0;
}

bool contestant_parse(struct contestant *contestant, const char *spec, struct error *error)
{
    const char *colon = strchrnul(spec, ':'), *end = spec + strcspn(spec, "@:");
    char *name = memory_printf("%.*s", (int)(end - spec), spec);
    char *limit = memory_printf("%.*s", (int)(colon - end), end);
    bool parsed;

    *contestant = (struct contestant){.entry = solver_find(name)};
    if (contestant->entry == NULL)
        parsed = unknown_solver(name, error);
    else if (limit[0] == '@' && !parse_limit(limit + 1, &contestant->time_s))
        parsed = error_set(
            error, "%s%s: expected a time limit such as @5s, @200ms or @2min after the name", name,
            limit);
    else
        parsed = parse_params(contestant, *colon == ':' ? colon + 1 : NULL, error);
    if (parsed)
        make_names(contestant);
    free(limit);
    free(name);
    return parsed;
}

struct run_limits contestant_limits(const struct contestant *contestant,
                                    const struct run_limits *limits)
{
    struct run_limits own = *limits;

    if (contestant->time_s > 0.0)
        own.time_s = contestant->time_s;
    return own;
}

bool contestant_takes_seed(const struct contestant *contestant)
{
    if ((solver_capabilities(contestant->entry->solver, &contestant->params) & SOLVER_SEED) != 0)
        return true;
    for (size_t i = 0; i < contestant->params.count; i++) {
        const struct param_value *value = &contestant->params.value[i];

        if (strcmp(value->param->name, "ties") == 0)
            return strcmp(value->text, "shuffle") == 0;
    }
    return false;
}

void contestant_clear(struct contestant *contestant)
{
    params_clear(&contestant->params);
    free(contestant->spec);
    free(contestant->name);
    free(contestant->label);
    free(contestant->build);
    *contestant = (struct contestant){0};
}
