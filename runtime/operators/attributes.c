/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/attributes.h"

#include <inttypes.h>
#include <string.h>

static bool is_among(const char *name, const char *names)
{
    size_t length = strlen(name);

    while (*names != '\0') {
        size_t word = strcspn(names, " ");

        if (word == length && strncmp(names, name, word) == 0)
            return true;
        names += word;
        names += strspn(names, " ");
    }
    return false;
}

bool attributes_among(const struct call *call, const char *names)
{
    const struct computation *computation = call->computation;

    for (size_t i = 0; i < computation->attributes; i++) {
        const char *name = computation->attribute[i].name;

        /* Said in version 1 what might be overwritten, which the lifetimes decide here.  */
        if (strcmp(name, "consumed_inputs") != 0 && !is_among(name, names))
            return error_set(call->error, "attribute '%s' is not known here", name);
    }
    return true;
}

bool attribute_integers(const struct call *call, const char *name, int count, int64_t low,
                        int64_t high, int64_t otherwise, int64_t *number)
{
    size_t given;
    const int64_t *integer = computation_integers(call->computation, name, &given);

    if (computation_find(call->computation, name) != NULL && given != (size_t)count)
        return error_set(call->error, "attribute '%s' has %zu numbers, expected %d", name, given,
                         count);
    for (int i = 0; i < count; i++) {
        number[i] = given == 0 ? otherwise : integer[i];
        if (number[i] < low || number[i] > high)
            return error_set(call->error,
                             "attribute '%s' is %" PRId64 ", expected %" PRId64 " to %" PRId64,
                             name, number[i], low, high);
    }
    return true;
}

double attribute_number(const struct call *call, const char *name, double otherwise)
{
    const struct attribute *attribute = computation_find(call->computation, name);

    if (attribute == NULL)
        return otherwise;
    if (attribute->reals == 1)
        return attribute->real[0];
    return attribute->integers == 1 ? (double)attribute->integer[0] : otherwise;
}

int attribute_choice(const struct call *call, const char *name, const char *const *words)
{
    const char *text = computation_text(call->computation, name, words[0]);

    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    error_set(call->error, "attribute '%s' is '%s', which is not known here", name, text);
    return -1;
}
