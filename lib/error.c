#include <config.h>

#include "lib/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

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

/* ASCII only and whatever the locale, so that suggestions do not depend on it.  */
static char lower_case(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Levenshtein distance without regard to case, one row at a time.  */
static size_t edit_distance(const char *a, const char *b)
{
    size_t columns = strlen(b);
    size_t *row = memory_alloc(columns + 1, sizeof *row);
    size_t result;

    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            size_t cost = diagonal + (lower_case(a[i]) != lower_case(b[j]));

            diagonal = row[j + 1];
            if (diagonal + 1 < cost)
                cost = diagonal + 1;
            if (row[j] + 1 < cost)
                cost = row[j] + 1;
            row[j + 1] = cost;
        }
    }
    result = row[columns];
    free(row);
    return result;
}

const char *nearest_name(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t limit = strlen(name) / 2 < 2 ? 2 : strlen(name) / 2;
    size_t best = limit + 1;

    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(name, candidates[i]);

        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

bool error_unknown(struct error *error, const char *what, const char *name,
                   const char *const *candidates, size_t count, const char *hint)
{
    const char *near = nearest_name(name, candidates, count);

    if (near != NULL)
        return error_set(error, "unknown %s '%s' (did you mean '%s'?)", what, name, near);
    return error_set(error, "unknown %s '%s'%s", what, name, hint);
}
