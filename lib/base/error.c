/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/suggest.h"

/* Analysers see macros.  */
#undef error_set
#undef error_prefix
#undef error_unknown

bool error_set(struct error *error, const char *format, ...)
{
    va_list args;

    if (error == NULL)
        return false;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

bool error_prefix(struct error *error, const char *format, ...)
{
    struct error old;
    va_list args;
    size_t length;

    if (error == NULL)
        return false;
    old = *error;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length, ": %s", old.text);
    return false;
}

bool error_unknown(struct error *error, const char *what, const char *name,
                   const char *const *candidates, size_t count, const char *hint)
{
    char meant[512];

    if (suggest(meant, sizeof meant, "", name, candidates, count))
        return error_set(error, "unknown %s '%s' (%s)", what, name, meant);
    return error_set(error, "unknown %s '%s'%s", what, name, hint);
}
