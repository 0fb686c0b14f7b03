#include <config.h>

#include "harness/io/figure.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

size_t figure_count(void)
{
    size_t count = 0;

    while (figure_registry[count].name != NULL)
        count++;
    return count;
}

const struct figure *figure_get(size_t index)
{
    return &figure_registry[index];
}

const struct figure *figure_find(const char *name)
{
    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++)
        if (strcmp(figure->name, name) == 0)
            return figure;
    return NULL;
}

bool figure_check_name(const char *name, struct error *error)
{
    size_t count = figure_count();
    const char **names;

    if (figure_find(name) != NULL)
        return true;
    names = memory_alloc(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = figure_get(i)->name;
    error_unknown(error, "figure", name, names, count, "; see 'arenabench list figures'");
    free(names);
    return false;
}
