#include <config.h>

#include "harness/run/contestants.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

/* Whether TEXT begins with another parameter, not with another solver.  */
static bool goes_on(const char *text)
{
    return text[strcspn(text, "=:,")] == '=';
}

bool contestants_raw(const char *text)
{
    char *copy = memory_printf("%.*s", (int)strcspn(text, ":,"), text);
    const struct solver_entry *entry = solver_find(copy);

    free(copy);
    return entry != NULL && (entry->solver->capabilities & SOLVER_RAW_PARAMETER) != 0;
}

/* The length of the first contestant in TEXT.  */
static size_t first_length(const char *text)
{
    size_t length = strcspn(text, ":,");

    if (text[length] != ':')
        return length;
    if (contestants_raw(text))
        return strlen(text);
    do
        length += 1 + strcspn(text + length + 1, ",");
    while (text[length] == ',' && goes_on(text + length + 1));
    return length;
}

static struct contestant *add(struct contestants *contestants)
{
    contestants->item =
        memory_resize(contestants->item, contestants->count + 1, sizeof *contestants->item);
    return &contestants->item[contestants->count++];
}

bool contestants_parse(struct contestants *contestants, const char *text, struct error *error)
{
    *contestants = (struct contestants){0};
    for (;;) {
        size_t length = first_length(text);
        char *spec = memory_printf("%.*s", (int)length, text);
        bool parsed = contestant_parse(add(contestants), spec, error);

        free(spec);
        if (!parsed) {
            contestants->count--;
            contestants_clear(contestants);
            return false;
        }
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

void contestants_all(struct contestants *contestants)
{
    *contestants = (struct contestants){0};
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        struct error error;

        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
            continue;
        /* Another solver whose parameters have no defaults can't run either.  */
        if (!contestant_parse(add(contestants), entry->solver->name, &error))
            contestants->count--;
    }
}

void contestants_clear(struct contestants *contestants)
{
    for (size_t i = 0; i < contestants->count; i++)
        contestant_clear(&contestants->item[i]);
    free(contestants->item);
    *contestants = (struct contestants){0};
}
