/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/memory.h"

static char *read_all(FILE *in, size_t *length)
{
    char *text = NULL;
    size_t room = 0, got;

    *length = 0;
    do {
        text = memory_grow(text, &room, *length + 4096, 1);
        got = fread(text + *length, 1, 4096, in);
        *length += got;
    } while (got > 0);
    return text;
}

/* Numbers of jansson's are 64 bits with a sign, those of dsa-solver without.  Says which buffer has
 * one that is larger: where all are taken as doubles, it is the one above 2^63.  */
static bool name_buffer(json_t *root, struct error *error)
{
    json_t *list = json_object_get(json_object_get(root, "problem"), "buffers"), *value;
    const char *key;

    for (size_t b = 0; b < json_array_size(list); b++)
        json_object_foreach(json_array_get(list, b), key, value)
        {
            const char *name = json_string_value(json_object_get(json_array_get(list, b), "name"));

            if (json_real_value(value) <= 0x1p63)
                continue;
            error_set(error, "problem.buffers[%zu]: '%.20s' of buffer '%.80s' is above %" PRId64, b,
                      key, name == NULL ? "" : name, INT64_MAX);
            return true;
        }
    return false;
}

static void say_fault(const char *text, size_t length, const char *path, const json_error_t *fault,
                      struct error *error)
{
    json_t *root = NULL;

    if (strncmp(fault->text, "too big", 7) == 0)
        root = json_loadb(text, length, JSON_DECODE_INT_AS_REAL, NULL);
    if (root == NULL || !name_buffer(root, error))
        error_set(error, "%s%s", root == NULL ? "no JSON: " : "", fault->text);
    error_prefix(error, "%s:%d:%d", path, fault->line, fault->column);
    json_decref(root);
}

json_t *json_read_object(FILE *in, const char *path, struct error *error)
{
    json_error_t fault;
    size_t length;
    char *text = read_all(in, &length);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);

    if (ferror(in))
        error_set(error, "%s: can't be read", path);
    else if (root == NULL)
        say_fault(text, length, path, &fault, error);
    else if (!json_is_object(root))
        error_set(error, "%s: expected an object, as {...}", path);
    memory_free(text);
    if (json_is_object(root) && !ferror(in))
        return root;
    json_decref(root);
    return NULL;
}

/* --- the fingerprint --- */

/* Takes the member KEY out where it is an empty list.  */
static void drop_empty(json_t *object, const char *key)
{
    json_t *list = json_object_get(object, key);

    if (json_is_array(list) && json_array_size(list) == 0)
        json_object_del(object, key);
}

static int add_bytes(const char *text, size_t length, void *sum)
{
    *(uint64_t *)sum = checksum_bytes(*(uint64_t *)sum, text, length);
    return 0;
}

uint64_t json_fingerprint(json_t *root)
{
    json_t *constraints = json_object_get(json_object_get(root, "problem"), "constraints");
    json_t *list = json_object_get(constraints, "separations");
    uint64_t sum = CHECKSUM_START;

    drop_empty(root, "relaxed_features");
    for (size_t i = 0; i < json_array_size(list); i++)
        drop_empty(json_array_get(list, i), "reasons");
    if ((json_object_get(root, "metadata") == NULL &&
         json_object_set_new(root, "metadata", json_object()) != 0) ||
        json_dump_callback(root, add_bytes, &sum, JSON_AS_WRITTEN) != 0)
        memory_exhausted();
    return checksum_bytes(sum, "\n", 1);
}

/* --- values --- */

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
