/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

json_t *json_read_object(FILE *in, const char *path, struct error *error)
{
    json_error_t fault;
    json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &fault);

    if (root == NULL)
        error_set(error, "%s:%d:%d: no JSON: %s", path, fault.line, fault.column, fault.text);
    else if (!json_is_object(root))
        error_set(error, "%s: expected an object, as {...}", path);
    if (root == NULL || json_is_object(root))
        return root;
    json_decref(root);
    return NULL;
}

void json_at(struct json_place *place, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(place->where, sizeof place->where, format, list);
    va_end(list);
}

bool json_wrong(const struct json_place *place, const char *format, ...)
{
    char text[200];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return error_set(place->error, "%s: %s: %s", place->path, place->where, text);
}

json_t *json_member(const struct json_place *place, json_t *object, const char *key)
{
    json_t *member = json_object_get(object, key);

    if (!json_is_object(object))
        json_wrong(place, "expected an object, as {...}");
    else if (member == NULL)
        json_wrong(place, "no member '%s'", key);
    return json_is_object(object) ? member : NULL;
}

json_t *json_list(const struct json_place *place, json_t *object, const char *key)
{
    json_t *member = json_member(place, object, key);

    if (member == NULL || json_is_array(member))
        return member;
    json_wrong(place, "'%s' is no array; expected [...]", key);
    return NULL;
}

const char *json_text(const struct json_place *place, json_t *object, const char *key)
{
    json_t *member = json_member(place, object, key);

    if (member != NULL && !json_is_string(member))
        json_wrong(place, "'%s' is no text; expected one in quotes", key);
    return json_string_value(member);
}

bool json_whole(const struct json_place *place, json_t *object, const char *key, int64_t low,
                int64_t *value)
{
    json_t *member = json_member(place, object, key);

    if (member == NULL)
        return false;
    *value = json_integer_value(member);
    if (!json_is_integer(member) || *value < low)
        return low == INT64_MIN
                   ? json_wrong(place, "'%s': expected a whole number", key)
                   : json_wrong(place, "'%s': expected a whole number from %" PRId64 " on", key,
                                low);
    return true;
}

bool json_known(const struct json_place *place, json_t *object, const char *known)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object))
        return json_wrong(place, "expected an object, as {...}");
    json_object_foreach(object, key, value)
    {
        const size_t length = strlen(key);
        bool found = false;

        for (const char *word = known; !found && word != NULL && *word != '\0';) {
            const char *end = strchrnul(word, ' ');

            found = (size_t)(end - word) == length && strncmp(word, key, length) == 0;
            word = *end == ' ' ? end + 1 : end;
        }
        if (!found)
            return json_wrong(place, "unknown member '%.60s'; expected of: %s", key, known);
    }
    return true;
}
