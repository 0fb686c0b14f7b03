/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/params.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/suggest.h"

bool parse_int(const char *text, int64_t low, int64_t high, int64_t *result)
{
    char *end;
    long long value;

    if (!isdigit((unsigned char)text[text[0] == '-' || text[0] == '+']))
        return false;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || value < low || value > high)
        return false;
    *result = value;
    return true;
}

bool parse_real(const char *text, double low, double high, double *result)
{
    char *end;
    double value;

    if (text[0] == '\0' || isspace((unsigned char)text[0]))
        return false;
    errno = 0;
    value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value) || value < low || value > high)
        return false;
    *result = value;
    return true;
}

struct unit {
    const char *name;
    double factor;
};

/* The number that TEXT begins with, times the unit that is the rest of it.  */
static bool parse_unit(const char *text, const struct unit *unit, double *result)
{
    char *end;
    double value;

    if (!isdigit((unsigned char)text[0]))
        return false;
    value = strtod(text, &end);
    while (unit->name != NULL && strcmp(end, unit->name) != 0)
        unit++;
    *result = value * unit->factor;
    return unit->name != NULL && isfinite(*result);
}

bool parse_bytes(const char *text, int64_t low, int64_t high, int64_t *result)
{
    static const struct unit units[] = {{"B", 1},        {"KiB", 0x1p10}, {"MiB", 0x1p20},
                                        {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"kB", 1e3},
                                        {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
                                        {"TB", 1e12},    {NULL, 0}};
    double value;

    if (parse_int(text, low, high, result))
        return true;
    if (!parse_unit(text, units, &value) || value != floor(value) || value >= 0x1p63 ||
        (int64_t)value < low || (int64_t)value > high)
        return false;
    *result = (int64_t)value;
    return true;
}

bool parse_seconds(const char *text, double low, double high, double *result)
{
    static const struct unit units[] = {
        {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {NULL, 0}};
    double value;

    if (parse_real(text, low, high, result))
        return true;
    if (!parse_unit(text, units, &value) || value < low || value > high)
        return false;
    *result = value;
    return true;
}

const struct param_choice param_switch[] = {{"off", false}, {"on", true}, {NULL, 0}};

char *param_words(const struct param *param)
{
    const char *first = param->initial != NULL ? param->initial : param->choices[0].word;
    char *words = NULL;
    size_t length = 0;
    FILE *out = memory_stream(&words, &length);

    fputs(first, out);
    for (const struct param_choice *at = param->choices; at->word != NULL; at++)
        if (strcmp(at->word, first) != 0)
            fprintf(out, "|%s", at->word);
    memory_stream_close(out);
    return words;
}

static bool choice_set(struct param_value *value, const char *word)
{
    const struct param_choice *at = value->param->choices;

    while (at->word != NULL && strcmp(at->word, word) != 0)
        at++;
    value->choice = at->value;
    return at->word != NULL;
}

static bool value_set(struct param_value *value, const char *text)
{
    const struct param *param = value->param;
    double low = param->low, high = param->high;

    value->text = text;
    switch (param->type) {
    case PARAM_INT:
    case PARAM_BYTES:
        if (!(param->type == PARAM_INT ? parse_int : parse_bytes)(
                text, low <= -PARAM_NO_LIMIT ? INT64_MIN : (int64_t)low,
                high >= PARAM_NO_LIMIT ? INT64_MAX : (int64_t)high, &value->integer))
            return false;
        value->real = (double)value->integer;
        return true;
    case PARAM_REAL:
        return parse_real(text, low, high, &value->real);
    case PARAM_CHOICE:
        return choice_set(value, text);
    case PARAM_TEXT:
        return true;
    }
    return false;
}

/* A parameter that may have been meant by NAME=TEXT: whose name begins so, and which takes TEXT; or
 * NULL.  */
static const struct param *meant(const struct params *params, const char *name, const char *text)
{
    for (size_t i = 0; i < params->count; i++) {
        struct param_value other = {.param = params->value[i].param};

        if (other.param->type != PARAM_TEXT &&
            strncmp(other.param->name, name, strlen(name)) == 0 && value_set(&other, text))
            return other.param;
    }
    return NULL;
}

static bool choice_refused(const struct params *params, const struct param *param, const char *what,
                           const char *text, struct error *error)
{
    const struct param *other = meant(params, param->name, text);
    char *words = param_words(param);

    if (other == NULL)
        error_set(error, "%s: %s=%s: expected one of %s", what, param->name, text, words);
    else
        error_set(error, "%s: %s=%s: expected one of %s (did you mean '%s=%s'?)", what, param->name,
                  text, words, other->name, text);
    free(words);
    return false;
}

static bool value_refused(const struct params *params, const struct param *param, const char *what,
                          const char *text, struct error *error)
{
    char low[32] = "", high[32] = "";

    if (param->type == PARAM_CHOICE)
        return choice_refused(params, param, what, text, error);
    if (param->low > -PARAM_NO_LIMIT)
        snprintf(low, sizeof low, " from %.16g", param->low);
    if (param->high < PARAM_NO_LIMIT)
        snprintf(high, sizeof high, " to %.16g", param->high);
    return error_set(error, "%s: %s=%s: expected a %s%s%s", what, param->name, text,
                     param->type == PARAM_INT     ? "whole number"
                     : param->type == PARAM_BYTES ? "number of bytes (4096 or 4KiB)"
                                                  : "number",
                     low, high);
}

static const struct param_value *find(const struct params *params, const char *name)
{
    for (size_t i = 0; i < params->count; i++)
        if (strcmp(params->value[i].param->name, name) == 0)
            return &params->value[i];
    return NULL;
}

/* The names that the tables have; the caller frees the list.  */
static const char **known_names(const struct params *params, size_t *count)
{
    const char **names = memory_alloc(params->count, sizeof *names);

    *count = 0;
    for (size_t i = 0; i < params->count; i++)
        if (!params->value[i].other && strcmp(params->value[i].param->name, PARAM_OTHER) != 0)
            names[(*count)++] = params->value[i].param->name;
    return names;
}

static bool unknown(const struct params *params, const char *what, const char *name,
                    struct error *error)
{
    size_t count;
    const char **names = known_names(params, &count);

    error_unknown(error, "parameter", name, names, count, count == 0 ? ": it takes none" : "");
    free(names);
    return error_prefix(error, "%s", what);
}

/* NAME=TEXT, where NAME may be any and TEXT is none of its values: perhaps NAME was a slip.  */
static bool other_refused(const struct params *params, const struct param *param, const char *what,
                          const char *text, struct error *error)
{
    size_t count;
    const char **names = known_names(params, &count);
    char likely[256];

    if (suggest(likely, sizeof likely, "", param->name, names, count))
        error_set(error, "%s: unknown parameter '%s' (%s); other names take numbers", what,
                  param->name, likely);
    else
        value_refused(params, param, what, text, error);
    free(names);
    return false;
}

/* A new parameter called NAME, if the tables say that any name may be one.  */
static struct param_value *add_other(struct params *params, const char *name)
{
    const struct param_value *any = find(params, PARAM_OTHER);
    size_t others = 0;
    struct param_value *value;

    if (any == NULL || name[0] == '\0')
        return NULL;
    for (size_t i = 0; i < params->count; i++)
        others += params->value[i].other;
    params->other[others] = *any->param;
    params->other[others].name = name;
    value = &params->value[params->count++];
    *value = (struct param_value){.param = &params->other[others], .other = true};
    return value;
}

static int compare_others(const void *a, const void *b)
{
    const struct param_value *x = a, *y = b;

    return strcmp(x->param->name, y->param->name);
}

/* The same settings in another order are the same.  */
static void sort_others(struct params *params)
{
    size_t first = params->count;

    while (first > 0 && params->value[first - 1].other)
        first--;
    qsort(&params->value[first], params->count - first, sizeof *params->value, compare_others);
}

static bool parse_one(struct params *params, const char *what, char *item, struct error *error)
{
    char *equals = strchr(item, '=');
    struct param_value *value;

    if (equals == NULL)
        return error_set(error, "%s: '%s': expected key=value", what, item);
    *equals = '\0';
    if (strcmp(item, PARAM_OTHER) == 0)
        return unknown(params, what, item, error);
    value = (struct param_value *)find(params, item);
    if (value == NULL)
        value = add_other(params, item);
    if (value == NULL)
        return unknown(params, what, item, error);
    if (value->given)
        return error_set(error, "%s: parameter '%s' is given twice", what, item);
    value->given = true;
    return value_set(value, equals + 1) || (value->other ? other_refused : value_refused)(
                                               params, value->param, what, equals + 1, error);
}

/* Room for OTHERS more than the tables have.  */
static void join_tables(struct params *params, const struct param *const *tables, size_t count,
                        size_t others)
{
    size_t total = others;

    for (size_t t = 0; t < count; t++)
        for (const struct param *p = tables[t]; p != NULL && p->name != NULL; p++)
            total++;
    params->value = memory_zalloc(total, sizeof *params->value);
    for (size_t t = 0; t < count; t++)
        for (const struct param *p = tables[t]; p != NULL && p->name != NULL; p++)
            params->value[params->count++].param = p;
    params->other = memory_alloc(others, sizeof *params->other);
}

/* How many `key=value` there can be in TEXT.  */
static size_t count_items(const char *text)
{
    size_t items = 1;

    for (; *text != '\0'; text++)
        items += *text == ',';
    return items;
}

/* Writes ITEM to OUT; where it is only the name of a choice that is `off` unless
 * something else is asked for, with what comes after `off`.  */
static void print_item(const struct params *params, FILE *out, const char *item, size_t length)
{
    fprintf(out, "%.*s", (int)length, item);
    for (size_t i = 0; i < params->count; i++) {
        const struct param *param = params->value[i].param;

        if (strlen(param->name) == length && memcmp(param->name, item, length) == 0 &&
            param->type == PARAM_CHOICE && param->initial != NULL &&
            strcmp(param->initial, "off") == 0 && strcmp(param->choices[0].word, "off") == 0)
            fprintf(out, "=%s", param->choices[1].word);
    }
}

/* TEXT with `key` spelt out as `key=value` where that is allowed.  */
static char *spelt_out(const struct params *params, const char *text)
{
    char *spelt = NULL;
    size_t length = 0;
    FILE *out = memory_stream(&spelt, &length);

    for (;;) {
        size_t item = strcspn(text, ",");

        print_item(params, out, text, item);
        text += item;
        if (*text == '\0')
            break;
        fputc(*text++, out);
    }
    memory_stream_close(out);
    return spelt;
}

bool params_parse(struct params *params, const char *what, const char *text,
                  const struct param *const *tables, size_t count, struct error *error)
{
    *params = (struct params){0};
    if (text == NULL)
        text = "";
    join_tables(params, tables, count, count_items(text));
    params->storage = spelt_out(params, text);
    if (params->storage[0] != '\0') {
        char *rest = params->storage, *item;

        while ((item = strsep(&rest, ",")) != NULL)
            if (!parse_one(params, what, item, error)) {
                params_clear(params);
                return false;
            }
    }
    sort_others(params);
    for (size_t i = 0; i < params->count; i++) {
        struct param_value *value = &params->value[i];
        bool fits;

        if (value->given)
            continue;
        if (value->param->initial == NULL) {
            error_set(error, "%s: parameter '%s' is required", what, value->param->name);
            params_clear(params);
            return false;
        }
        fits = value_set(value, value->param->initial);
        assert(fits);
        (void)fits;
    }
    return true;
}

/* Whether TEXT begins with `NAME=`.  */
static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);

    return strncmp(text, name, length) == 0 && text[length] == '=';
}

/* Whether TEXT begins with a parameter that is not the raw one.  */
static bool names_other(const struct params *params, const char *text)
{
    for (size_t i = 0; i + 1 < params->count; i++)
        if (names(text, params->value[i].param->name))
            return true;
    return false;
}

/* Parses the parameters at TEXT up to the raw one; its value, or NULL.  */
static char *parse_before_raw(struct params *params, const char *what, char *text,
                              struct error *error)
{
    const char *raw = params->value[params->count - 1].param->name;

    while (!names(text, raw)) {
        char *item = strsep(&text, ",");

        if (!parse_one(params, what, item, error))
            return NULL;
        if (text == NULL) {
            error_set(error, "%s: expected ',%s=' and the %s after the other parameters", what, raw,
                      raw);
            return NULL;
        }
    }
    return text + strlen(raw) + 1;
}

bool params_raw(struct params *params, const char *what, const struct param *table,
                const char *text, struct error *error)
{
    struct param_value *raw;
    const char *value;

    *params = (struct params){0};
    join_tables(params, &table, 1, 0);
    raw = &params->value[params->count - 1];
    assert(raw->param->type == PARAM_TEXT && raw->param->initial == NULL);
    params->storage = memory_strdup(text);
    value = params->storage;
    if (names_other(params, text))
        value = parse_before_raw(params, what, params->storage, error);
    if (value != NULL && value[0] == '\0') {
        error_set(error, "%s: expected its %s after a colon", what, raw->param->name);
        value = NULL;
    }
    if (value == NULL) {
        params_clear(params);
        return false;
    }
    for (size_t i = 0; i + 1 < params->count; i++)
        if (!params->value[i].given)
            value_set(&params->value[i], params->value[i].param->initial);
    raw->text = value;
    raw->given = true;
    return true;
}

const char *params_raw_value(const struct params *params)
{
    return params->value[params->count - 1].text;
}

void params_clear(struct params *params)
{
    free(params->value);
    free(params->other);
    free(params->storage);
    *params = (struct params){0};
}

static const struct param_value *get(const struct params *params, const char *name)
{
    const struct param_value *value = find(params, name);

    assert(value != NULL);
    return value;
}

int64_t params_int(const struct params *params, const char *name)
{
    return get(params, name)->integer;
}

double params_real(const struct params *params, const char *name)
{
    return get(params, name)->real;
}

unsigned params_choice(const struct params *params, const char *name)
{
    return get(params, name)->choice;
}

bool params_on(const struct params *params, const char *name)
{
    assert(get(params, name)->param->choices == param_switch);
    return params_choice(params, name) != 0;
}

const char *params_text(const struct params *params, const char *name)
{
    return get(params, name)->text;
}

bool params_given(const struct params *params, const char *name)
{
    return get(params, name)->given;
}

static void print_value(FILE *out, const struct param_value *value)
{
    if (value->param->type == PARAM_INT || value->param->type == PARAM_BYTES)
        fprintf(out, "%s=%" PRId64, value->param->name, value->integer);
    else if (value->param->type == PARAM_REAL)
        fprintf(out, "%s=%.17g", value->param->name, value->real);
    else
        fprintf(out, "%s=%s", value->param->name, value->text);
}

/* A name that no table has means something else where it is left out.  */
static bool is_default(const struct param_value *value)
{
    struct param_value initial = {.param = value->param};

    if (!value->given || value->param->initial == NULL || value->other)
        return !value->given;
    value_set(&initial, value->param->initial);
    if (value->param->type == PARAM_TEXT)
        return strcmp(value->text, initial.text) == 0;
    return value->integer == initial.integer && value->real == initial.real &&
           value->choice == initial.choice;
}

char *params_canonical(const struct params *params)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory_stream(&text, &length);
    const char *comma = "";

    for (size_t i = 0; i < params->count; i++) {
        if (is_default(&params->value[i]))
            continue;
        fputs(comma, out);
        print_value(out, &params->value[i]);
        comma = ",";
    }
    memory_stream_close(out);
    return text;
}

char *params_raw_canonical(const struct params *params)
{
    char *canonical = params_canonical(params), *text;
    const char *value = params_raw_value(params);
    bool alone = names(canonical, params->value[params->count - 1].param->name);

    if (!alone)
        return canonical;
    /* A value that looks like another parameter has to have one before it.  */
    text = names_other(params, value) ? memory_printf("%s=%s,%s", params->value[0].param->name,
                                                      params->value[0].param->initial, canonical)
                                      : memory_strdup(value);
    free(canonical);
    return text;
}
