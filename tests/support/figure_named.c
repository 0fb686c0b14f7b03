/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/figure_named.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "tests/support/tap.h"

const struct figure *figure_named(const struct figure *registry, const char *name)
{
    for (const struct figure *figure = registry; figure->name != NULL; figure++)
        if (strcmp(figure->name, name) == 0)
            return figure;
    tap_diag("nothing in the report is called %s", name);
    abort();
}
