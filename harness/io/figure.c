/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/figure.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

/* False with a message unless NAME is a figure's or, where LISTED, that of a table with a shape. */
static bool check_name(const char *name, bool listed, struct error *error)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    bool there = false;

    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++) {
        names = memory_grow(names, &capacity, count + 1, sizeof *names);
        names[count++] = figure->name;
    }
    for (const struct figure *table = table_registry; listed && table->name != NULL; table++)
        if (table->shape[0] != '\0') {
            names = memory_grow(names, &capacity, count + 1, sizeof *names);
            names[count++] = table->name;
        }
    for (size_t i = 0; !there && i < count; i++)
        there = strcmp(names[i], name) == 0;
    if (!there)
        error_unknown(error, "figure", name, names, count, "; see 'arenabench list figures'");
    free(names);
    return there;
}

bool figure_check_name(const char *name, struct error *error)
{
    return check_name(name, false, error);
}

bool figure_check_listed(const char *name, struct error *error)
{
    return check_name(name, true, error);
}
