/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Parts of a name that are shorter are in too many others.  */
enum { SHORTEST_PART = 3 };

/* How a candidate is like a name; what comes first is likelier.  */
enum likeness { BEGINS_WITH, HAS_WORD, CONTAINS, IS_NEAR };

struct match {
    enum likeness likeness;
    size_t distance; /* IS_NEAR: letters; else those that the candidate has more */
    size_t index;
};

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

/* Where PART, without regard to case, is in TEXT; NULL: nowhere.  */
static const char *find_part(const char *text, const char *part)
{
    size_t length = strlen(part);

    for (; *text != '\0'; text++) {
        size_t same = 0;

        while (same < length && lower_case(text[same]) == lower_case(part[same]))
            same++;
        if (same == length)
            return text;
    }
    return NULL;
}

static struct match compare_names(const char *name, const char *candidate, size_t index)
{
    size_t length = strlen(name);
    const char *found = length >= SHORTEST_PART ? find_part(candidate, name) : NULL;

    if (found == NULL)
        return (struct match){IS_NEAR, edit_distance(name, candidate), index};
    return (struct match){found == candidate                       ? BEGINS_WITH
                          : isalnum((unsigned char)found[-1]) == 0 ? HAS_WORD
                                                                   : CONTAINS,
                          strlen(candidate) - length, index};
}

static int compare_matches(const void *a, const void *b)
{
    const struct match *x = a, *y = b;

    return ORDER(x->likeness, y->likeness) ?: ORDER(x->distance, y->distance) ?:
           ORDER(x->index, y->index);
}

/* Half of the letters may be wrong, in short names two; beside names that have this one
 * inside, one.  Only the nearest of those that are near count.  */
static size_t count_likely(const struct match *match, size_t count, size_t length)
{
    size_t inside = 0, nearest, limit;

    while (inside < count && match[inside].likeness != IS_NEAR)
        inside++;
    if (inside == count)
        return count;
    nearest = match[inside].distance;
    limit = inside > 0 ? 1 : length / 2 < 2 ? 2 : length / 2;
    if (nearest > limit)
        return inside;
    while (inside < count && match[inside].distance == nearest)
        inside++;
    return inside;
}

size_t likely_names(const char *name, const char *const *candidates, size_t count,
                    const char *likely[MOST_SUGGESTIONS])
{
    struct match *match = memory_alloc(count, sizeof *match);
    size_t found;

    for (size_t i = 0; i < count; i++)
        match[i] = compare_names(name, candidates[i], i);
    qsort(match, count, sizeof *match, compare_matches);
    found = count_likely(match, count, strlen(name));
    if (found > MOST_SUGGESTIONS)
        found = MOST_SUGGESTIONS;
    for (size_t i = 0; i < found; i++)
        likely[i] = candidates[match[i].index];
    free(match);
    return found;
}

bool suggest(char *text, size_t size, const char *prefix, const char *name,
             const char *const *candidates, size_t count)
{
    const char *likely[MOST_SUGGESTIONS];
    size_t found = likely_names(name, candidates, count, likely), length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < found && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s'%s%s'%s",
                                   i == 0           ? "did you mean "
                                   : i + 1 == found ? " or "
                                                    : ", ",
                                   prefix, likely[i], i + 1 == found ? "?" : "");
    return found > 0;
}
