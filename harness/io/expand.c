/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/expand.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"

/* Numbers in ranges stay far from the ends of int64_t, so that steps fit.  */
#define RANGE_LIMIT INT64_C(1000000000000)

void text_list_add(struct text_list *list, const char *text)
{
    list->text = memory_grow(list->text, &list->capacity, list->n + 1, sizeof *list->text);
    list->text[list->n++] = memory_strdup(text);
}

static void truncate_list(struct text_list *list, size_t n)
{
    while (list->n > n)
        free(list->text[--list->n]);
}

void text_list_clear(struct text_list *list)
{
    truncate_list(list, 0);
    free(list->text);
    *list = (struct text_list){0};
}

static bool add_range(const char *part, struct text_list *list, struct error *error)
{
    char *copy = memory_strdup(part), *last = strstr(copy, ".."), *step;
    int64_t from, to, by = 1;
    bool done;

    *last = '\0';
    last += 2;
    step = strstr(last, "..");
    if (step != NULL) {
        *step = '\0';
        step += 2;
    }
    done = parse_int(copy, -RANGE_LIMIT, RANGE_LIMIT, &from) &&
           parse_int(last, -RANGE_LIMIT, RANGE_LIMIT, &to) && from <= to &&
           (step == NULL || parse_int(step, 1, RANGE_LIMIT, &by));
    free(copy);
    if (!done)
        return error_set(error, "{%s}: expected whole numbers first..last or first..last..step",
                         part);
    if ((to - from) / by >= EXPAND_MOST)
        return error_set(error, "{%s}: more than %d values", part, EXPAND_MOST);
    for (int64_t value = from; value <= to; value += by) {
        char text[24];

        snprintf(text, sizeof text, "%" PRId64, value);
        text_list_add(list, text);
    }
    return true;
}

/* The values between the braces; INSIDE is overwritten.  */
static bool add_parts(char *inside, struct text_list *list, struct error *error)
{
    char *part;

    if (strchr(inside, '{') != NULL)
        return error_set(error, "'{%s}': braces do not nest", inside);
    while ((part = strsep(&inside, ",")) != NULL) {
        if (part[0] == '\0')
            return error_set(error, "an empty value between braces");
        if (strstr(part, "..") == NULL)
            text_list_add(list, part);
        else if (!add_range(part, list, error))
            return false;
    }
    return true;
}

/* HEAD has no braces left; expands REST and puts HEAD before each result.
 * START is where this text's results start in LIST.  */
static bool expand_rest(const char *head, const char *rest, size_t start, struct text_list *list,
                        struct error *error)
{
    size_t plain = strcspn(rest, "{}");
    const char *close;
    struct text_list parts = {0};
    char *inside;
    bool done;

    if (rest[plain] == '\0') {
        char *whole;

        if (list->n - start >= EXPAND_MOST)
            return error_set(error, "it stands for more than %d texts", EXPAND_MOST);
        whole = memory_printf("%s%s", head, rest);
        text_list_add(list, whole);
        free(whole);
        return true;
    }
    close = strchr(rest + plain, '}');
    if (rest[plain] == '}' || close == NULL)
        return error_set(error, "a '%c' without its '%c'", rest[plain],
                         rest[plain] == '{' ? '}' : '{');
    inside = memory_printf("%.*s", (int)(close - rest - (ptrdiff_t)plain - 1), rest + plain + 1);
    done = add_parts(inside, &parts, error);
    for (size_t i = 0; done && i < parts.n; i++) {
        char *longer = memory_printf("%s%.*s%s", head, (int)plain, rest, parts.text[i]);

        done = expand_rest(longer, close + 1, start, list, error);
        free(longer);
    }
    free(inside);
    text_list_clear(&parts);
    return done;
}

bool expand_braces(const char *text, struct text_list *list, struct error *error)
{
    size_t start = list->n;

    if (expand_rest("", text, start, list, error))
        return true;
    truncate_list(list, start);
    return error_prefix(error, "'%.200s'", text);
}
