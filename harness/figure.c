#include <config.h>

#include "harness/figure.h"

#include <string.h>

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
