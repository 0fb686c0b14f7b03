/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/contestants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/expand.h"
#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

/* --- sets --- */

static bool any(const struct solver *solver)
{
    (void)solver;
    return true;
}

static bool anytime(const struct solver *solver)
{
    return (solver->capabilities & SOLVER_ANYTIME) != 0;
}

static bool heuristic(const struct solver *solver)
{
    return solver->kind == SOLVER_HEURISTIC && !anytime(solver);
}

static bool has_ties(const struct solver *solver)
{
    for (const struct param *p = solver->params; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, "ties") == 0)
            return heuristic(solver);
    return false;
}

static bool has_native(const struct solver *solver)
{
    return solver->native.size > 1 || solver->native.offset > 1;
}

static bool shipped(const struct solver *solver)
{
    return (solver->capabilities & SOLVER_SHIPPED) != 0;
}

static bool online(const struct solver *solver)
{
    return (solver_usual_capabilities(solver) & SOLVER_ONLINE) != 0;
}

/* What needs something from the user is in none.  */
static const struct solver_set {
    const char *word;
    bool (*has)(const struct solver *solver);
} solver_sets[] = {{"@all", any},       {"@heuristics", heuristic}, {"@anytime", anytime},
                   {"@ties", has_ties}, {"@native", has_native},    {"@shipped", shipped},
                   {"@online", online}};
enum { SOLVER_SETS = sizeof solver_sets / sizeof solver_sets[0] };

static bool belongs(const struct solver *solver, const struct solver_set *set)
{
    return (solver->capabilities & SOLVER_RAW_PARAMETER) == 0 && set->has(solver);
}

char *solver_sets_text(const struct solver *solver)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    const char *apart = "";

    for (size_t i = 0; i < SOLVER_SETS; i++)
        if (belongs(solver, &solver_sets[i])) {
            fprintf(out, "%s%s", apart, solver_sets[i].word);
            apart = " ";
        }
    memory_stream_close(out);
    return text;
}

static bool unknown_set(const char *word, struct error *error)
{
    const char *words[SOLVER_SETS];

    for (size_t i = 0; i < SOLVER_SETS; i++)
        words[i] = solver_sets[i].word;
    error_unknown(error, "set of solvers", word, words, SOLVER_SETS,
                  "; expected @all, @heuristics, @anytime, @ties, @native, @shipped or @online");
    return false;
}

/* Appends SPEC, or for each solver of the set that it begins with what it then is.  */
static bool expand_spec(const char *spec, struct text_list *list, struct error *error)
{
    size_t length = spec[0] == '@' ? 1 + strcspn(spec + 1, ":@") : 0;
    const struct solver_set *set = NULL;
    bool done = true;

    if (length == 0)
        return expand_braces(spec, list, error);
    for (size_t i = 0; i < SOLVER_SETS; i++)
        if (strlen(solver_sets[i].word) == length &&
            strncmp(solver_sets[i].word, spec, length) == 0)
            set = &solver_sets[i];
    if (set == NULL) {
        char *word = memory_printf("%.*s", (int)length, spec);

        done = unknown_set(word, error);
        free(word);
        return done;
    }
    for (const struct solver_entry *e = solver_registry; done && e->solver != NULL; e++) {
        char *whole;

        if (!belongs(e->solver, set))
            continue;
        whole = memory_printf("%s%s", e->solver->name, spec + length);
        done = expand_braces(whole, list, error);
        free(whole);
    }
    return done;
}

/* --- adding --- */

static struct contestant *find(const struct contestants *contestants, const char *label)
{
    for (size_t i = 0; i < contestants->count; i++)
        if (strcmp(contestants->item[i].label, label) == 0)
            return &contestants->item[i];
    return NULL;
}

static bool add(struct contestants *contestants, const char *spec, struct error *error)
{
    struct contestant contestant, *there;
    bool same;

    if (!contestant_parse(&contestant, spec, error))
        return false;
    there = find(contestants, contestant.label);
    if (there == NULL) {
        contestants->item =
            memory_resize(contestants->item, contestants->count + 1, sizeof *contestants->item);
        contestants->item[contestants->count++] = contestant;
        return true;
    }
    same = strcmp(there->spec, contestant.spec) == 0;
    if (!same)
        error_set(error, "two commands with the name '%.200s'", contestant.label);
    else if (contestant.time_s > 0.0)
        there->time_s = contestant.time_s;
    contestant_clear(&contestant);
    return same;
}

/* What follows the colon of a solver whose parameter is a command, or NULL.  */
static const char *command_in(const char *spec, const struct solver **solver)
{
    size_t length = strcspn(spec, ":,"), name = strcspn(spec, "@:,");
    char *copy = memory_printf("%.*s", (int)name, spec);
    const struct solver_entry *entry = solver_find(copy);

    free(copy);
    if (entry == NULL || (entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0 ||
        spec[length] != ':')
        return NULL;
    *solver = entry->solver;
    return spec + length + 1;
}

bool contestants_add(struct contestants *contestants, const char *spec, struct error *error)
{
    const struct solver *solver;
    struct text_list specs = {0};
    bool done = true;

    /* A command's braces are the command's.  */
    if (command_in(spec, &solver) != NULL)
        return add(contestants, spec, error);
    done = expand_spec(spec, &specs, error);
    for (size_t i = 0; done && i < specs.n; i++)
        done = add(contestants, specs.text[i], error);
    text_list_clear(&specs);
    return done;
}

/* --- lists --- */

/* Whether TEXT begins with another parameter, not with another solver.  */
static bool goes_on(const char *text)
{
    return text[strcspn(text, "=:,@")] == '=';
}

/* The length of TEXT up to a comma between its quotes, as the shell has them.  */
static size_t command_length(const char *text)
{
    char quote = '\0';
    size_t i;

    for (i = 0; text[i] != '\0' && (quote != '\0' || text[i] != ','); i++) {
        if (text[i] == '\\' && quote != '\'' && text[i + 1] != '\0')
            i++;
        else if (quote == '\0' && (text[i] == '\'' || text[i] == '"'))
            quote = text[i];
        else if (text[i] == quote)
            quote = '\0';
    }
    return i;
}

/* The length of TEXT up to a comma that stands in no braces.  */
static size_t item_length(const char *text)
{
    size_t i;
    int depth = 0;

    for (i = 0; text[i] != '\0' && (depth > 0 || text[i] != ','); i++)
        depth += (text[i] == '{') - (text[i] == '}');
    return i;
}

static size_t first_length(const char *text)
{
    const struct solver *solver;
    const char *command = command_in(text, &solver);
    size_t length;

    if (command != NULL && contestant_command_name(solver, command) > 0)
        return (size_t)(command - text) + command_length(command);
    if (command != NULL)
        return strlen(text);
    length = item_length(text);
    if (memchr(text, ':', length) == NULL)
        return length;
    while (text[length] == ',' && goes_on(text + length + 1))
        length += 1 + item_length(text + length + 1);
    return length;
}

bool contestants_add_list(struct contestants *contestants, const char *text, struct error *error)
{
    for (;;) {
        size_t length = first_length(text);
        char *spec = memory_printf("%.*s", (int)length, text);
        bool added = contestants_add(contestants, spec, error);

        free(spec);
        if (!added || text[length] == '\0')
            return added;
        text += length + 1;
    }
}

bool contestants_of_lists(struct contestants *contestants, const struct text_list *lists,
                          const char *usual, struct error *error)
{
    bool added;

    *contestants = (struct contestants){0};
    added = lists->n > 0 || contestants_add_list(contestants, usual, error);

    for (size_t i = 0; added && i < lists->n; i++)
        added = contestants_add_list(contestants, lists->text[i], error);
    if (!added)
        contestants_clear(contestants);
    return added;
}

void contestants_clear(struct contestants *contestants)
{
    for (size_t i = 0; i < contestants->count; i++)
        contestant_clear(&contestants->item[i]);
    free(contestants->item);
    *contestants = (struct contestants){0};
}
