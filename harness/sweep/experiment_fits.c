/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_fits.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "memories/splitter.h"
#include "solvers/solver.h"

/* --- planners --- */

/* What a contestant asks of its solver (seeds, commands), for planners that are none of one
 * arena.  */
static const struct param no_params[] = {PARAM_END};
static const struct solver of_several = {.name = "fit", .params = no_params};

static struct contestant contestant_of(const struct splitter *splitter)
{
    static struct solver_entry entry = {&of_several, NULL};

    entry.checksum = splitter_set_registry[0].checksum;
    return (struct contestant){
        .entry = &entry,
        .spec = memory_strdup(splitter->name),
        .name = memory_printf("%.*s", (int)strcspn(splitter->name, ":"), splitter->name),
        .label = memory_strdup(splitter->name),
    };
}

bool experiment_find_splitter(struct contestant *contestant, const char *name, struct error *error)
{
    const struct splitter *splitter = splitter_named(name, "", error);

    if (splitter == NULL)
        return false;
    *contestant = contestant_of(splitter);
    return true;
}

static bool add_splitter(struct contestants *solvers, const char *name, struct error *error)
{
    struct contestant contestant;

    for (size_t i = 0; i < solvers->count; i++)
        if (strcmp(solvers->item[i].spec, name) == 0)
            return true;
    if (!experiment_find_splitter(&contestant, name, error))
        return false;
    solvers->item = memory_resize(solvers->item, solvers->count + 1, sizeof *solvers->item);
    solvers->item[solvers->count++] = contestant;
    return true;
}

bool experiment_add_splitters(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list names = {0};
    bool done = expand_braces(text, &names, error);

    for (size_t i = 0; done && i < names.n; i++)
        done = add_splitter(&set->solvers, names.text[i], error);
    text_list_clear(&names);
    return done;
}

/* --- memories --- */

/* TEXT without blanks; the caller frees it.  */
static char *without_blanks(const char *text)
{
    char *copy = memory_strdup(text), *to = copy;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' && *from != '\t' && *from != '\n')
            *to++ = *from;
    *to = '\0';
    return copy;
}

/* TEXT has no blanks.  */
static bool parse_memories(const char *text, struct memories *memories, struct error *error)
{
    char *copy = memory_strdup(text), *at = copy, *one;
    bool done = true;

    while (done && (one = strsep(&at, ";")) != NULL)
        done = memories_add(memories, one, error);
    free(copy);
    memories_default_costs(memories);
    return done;
}

static bool add_memories(struct experiment_fits *fits, const char *text, struct error *error)
{
    struct experiment_memories new = {.text = without_blanks(text)};
    bool done = parse_memories(new.text, &new.memories, error), known = false;

    for (size_t i = 0; i < fits->n_memories; i++)
        known = known || strcmp(fits->memories[i].text, new.text) == 0;
    if (!done || known) {
        memories_clear(&new.memories);
        free(new.text);
        return done;
    }
    fits->memories = memory_resize(fits->memories, fits->n_memories + 1, sizeof new);
    fits->memories[fits->n_memories++] = new;
    return true;
}

bool experiment_add_memories(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list texts = {0};
    bool done = expand_braces(text, &texts, error);

    for (size_t i = 0; done && i < texts.n; i++)
        done = add_memories(&set->fits, texts.text[i], error);
    text_list_clear(&texts);
    return done;
}

void experiment_fits_clear(struct experiment_fits *fits)
{
    for (size_t i = 0; i < fits->n_memories; i++) {
        memories_clear(&fits->memories[i].memories);
        free(fits->memories[i].text);
    }
    free(fits->memories);
}
