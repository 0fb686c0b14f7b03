/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/ncnn/param.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "lib/base/params.h"
#include "lib/base/people.h"

static const char magic[] = "7767517";

/* A list of key 3 is written with the key -23303.  */
#define LIST_KEY (-23300)
#define MOST_KEY 63 /* ncnn has up to 32 keys */

/* What is being read: a line of words.  */
struct scan {
    struct ncnn_model *model;
    char *at, *end;
    char *line_end; /* of the current line; a zero byte stands there */
    size_t line;
    struct error *error;
};

void ncnn_param_clear(struct ncnn_model *model)
{
    free(model->layer);
    free(model->reference);
    free(model->word);
    free(model->blob);
    free(model->value);
    free(model->number);
    *model = (struct ncnn_model){0};
}

static struct csv_shown shown(const char *text)
{
    return csv_shown(text, strlen(text));
}

bool ncnn_error(const struct ncnn_model *model, const struct ncnn_layer *layer, struct error *error,
                const char *format, ...)
{
    struct error what = {""};
    va_list args;

    va_start(args, format);
    vsnprintf(what.text, sizeof what.text, format, args);
    va_end(args);
    return error_set(error, "%s:%zu: layer '%s' (%s): %s", model->path, layer->line,
                     shown(layer->name).text, shown(layer->type).text, what.text);
}

static bool line_error(const struct scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool line_error(const struct scan *scan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(scan->error->text, sizeof scan->error->text, format, args);
    va_end(args);
    return error_prefix(scan->error, "%s:%zu", scan->model->path, scan->line);
}

/* --- words and lines --- */

/* Goes to the next line that is not blank; false at the end.  */
static bool next_line(struct scan *scan)
{
    while (scan->at < scan->end) {
        char *start = scan->at;
        char *feed = memchr(start, '\n', (size_t)(scan->end - start));

        scan->line_end = feed != NULL ? feed : scan->end;
        *scan->line_end = '\0';
        scan->line++;
        if (start[strspn(start, " \t\r")] != '\0')
            return true;
        scan->at = scan->line_end + 1;
    }
    return false;
}

static void end_line(struct scan *scan)
{
    scan->at = scan->line_end + 1;
}

/* The next word of the line, or NULL.  */
static char *next_word(struct scan *scan)
{
    char *start = scan->at + strspn(scan->at, " \t\r"), *end = start + strcspn(start, " \t\r");

    if (start == end)
        return NULL;
    scan->at = end < scan->line_end ? end + 1 : end;
    *end = '\0';
    return start;
}

static bool next_count(struct scan *scan, const char *what, int64_t *count)
{
    const char *word = next_word(scan);

    if (word != NULL && parse_int(word, 0, INT32_MAX, count))
        return true;
    return line_error(scan, "'%s', expected the number of %s", shown(word != NULL ? word : "").text,
                      what);
}

/* Control characters would only confuse whoever reads a message.  */
static bool clean(struct scan *scan)
{
    size_t line = 1;

    for (const char *at = scan->at; at < scan->end; at++) {
        if (*at == '\n')
            line++;
        else if ((unsigned char)*at < ' ' && *at != '\t' && *at != '\r') {
            scan->line = line;
            return line_error(scan, "byte %d, expected text: is this a .param file?",
                              (unsigned char)*at);
        }
    }
    return true;
}

/* --- parameters --- */

static bool add_number(struct scan *scan, const char *text)
{
    struct ncnn_model *model = scan->model;
    struct ncnn_number number = {.whole = true};

    if (!parse_int(text, INT64_MIN, INT64_MAX, &number.integer)) {
        number.whole = false;
        if (!parse_real(text, -1e300, 1e300, &number.real))
            return false;
    } else {
        number.real = (double)number.integer;
    }
    model->number = memory_grow(model->number, &model->numbers_capacity, model->n_numbers + 1,
                                sizeof *model->number);
    model->number[model->n_numbers++] = number;
    return true;
}

/* The elements of LIST, separated by commas.  False: one is no number.  */
static bool add_list(struct scan *scan, char *list)
{
    while (list != NULL) {
        char *comma = strchr(list, ',');

        if (comma != NULL)
            *comma++ = '\0';
        if (!add_number(scan, list))
            return false;
        list = comma;
    }
    return true;
}

/* `-23303=2,1,2`: TEXT is what follows the equals sign.  */
static bool add_counted(struct scan *scan, struct ncnn_value *value, char *text)
{
    struct ncnn_model *model = scan->model;
    char *comma = strchr(text, ',');
    int64_t count;

    if (comma != NULL)
        *comma++ = '\0';
    if (!parse_int(text, 0, INT32_MAX, &count))
        return line_error(scan, "parameter %" PRId64 ": '%s', expected the length of a list",
                          value->key, shown(text).text);
    if (comma != NULL && !add_list(scan, comma))
        return line_error(scan, "parameter %" PRId64 ": a list with something that is not a number",
                          value->key);
    value->count = model->n_numbers - value->first;
    if (value->count != (size_t)count)
        return line_error(scan,
                          "parameter %" PRId64 ": %zu elements, expected as many as it says, "
                          "%" PRId64,
                          value->key, value->count, count);
    return true;
}

static bool add_value(struct scan *scan, struct ncnn_layer *layer, char *word)
{
    struct ncnn_model *model = scan->model;
    struct ncnn_value value = {.first = model->n_numbers};
    char *equals = strchr(word, '=');
    bool counted;

    if (equals != NULL)
        *equals = '\0';
    if (equals == NULL || !parse_int(word, LIST_KEY - MOST_KEY, MOST_KEY, &value.key) ||
        (value.key < 0 && value.key > LIST_KEY))
        return line_error(scan, "'%s', expected a parameter KEY=VALUE with KEY from 0 to %d",
                          shown(word).text, MOST_KEY);
    counted = value.key < 0;
    if (counted)
        value.key = LIST_KEY - value.key;
    if (ncnn_find(model, layer, value.key) != NULL)
        return line_error(scan, "parameter %" PRId64 " stands here twice", value.key);
    if (counted) {
        if (!add_counted(scan, &value, equals + 1))
            return false;
    } else if (add_list(scan, equals + 1)) {
        value.count = model->n_numbers - value.first;
    } else {
        model->n_numbers = value.first;
        value.text = true;
    }
    model->value = memory_grow(model->value, &model->values_capacity, model->n_values + 1,
                               sizeof *model->value);
    model->value[model->n_values++] = value;
    layer->values++;
    return true;
}

const struct ncnn_value *ncnn_find(const struct ncnn_model *model, const struct ncnn_layer *layer,
                                   int64_t key)
{
    for (size_t i = 0; i < layer->values; i++)
        if (model->value[layer->first_value + i].key == key)
            return &model->value[layer->first_value + i];
    return NULL;
}

/* --- layers --- */

/* The names of a layer's inputs or outputs.  What the file claims to come is
 * only stored as it does come.  */
static bool add_references(struct scan *scan, int64_t count, const char *what)
{
    struct ncnn_model *model = scan->model;

    for (int64_t i = 0; i < count; i++) {
        char *word = next_word(scan);

        if (word == NULL)
            return line_error(scan, "%" PRId64 " %s, expected as many as it says, %" PRId64, i,
                              what, count);
        model->word = memory_grow(model->word, &model->words_capacity, model->n_references + 1,
                                  sizeof *model->word);
        model->word[model->n_references++] = word;
    }
    return true;
}

static bool read_layer(struct scan *scan)
{
    struct ncnn_model *model = scan->model;
    struct ncnn_layer layer = {
        .line = scan->line, .first = model->n_references, .first_value = model->n_values};
    int64_t inputs, outputs;
    char *word;

    layer.type = next_word(scan);
    layer.name = next_word(scan);
    if (layer.name == NULL)
        return line_error(scan, "expected TYPE NAME INPUTS OUTPUTS and the names of the blobs");
    if (!next_count(scan, "inputs", &inputs) || !next_count(scan, "outputs", &outputs) ||
        !add_references(scan, inputs, "inputs") || !add_references(scan, outputs, "outputs"))
        return false;
    layer.inputs = (size_t)inputs;
    layer.outputs = (size_t)outputs;
    while ((word = next_word(scan)) != NULL)
        if (!add_value(scan, &layer, word))
            return false;
    model->layer = memory_grow(model->layer, &model->layers_capacity, model->n_layers + 1,
                               sizeof *model->layer);
    model->layer[model->n_layers++] = layer;
    return true;
}

/* --- names --- */

static bool unique_layers(const struct ncnn_model *model, struct error *error)
{
    struct name_ref *ref = memory_alloc(model->n_layers, sizeof *ref);
    bool unique = true;

    for (size_t i = 0; i < model->n_layers; i++)
        ref[i] = (struct name_ref){model->layer[i].name, i};
    names_sort(ref, model->n_layers);
    for (size_t i = 1; i < model->n_layers && unique; i++)
        if (strcmp(ref[i - 1].name, ref[i].name) == 0)
            unique = ncnn_error(model, &model->layer[ref[i].index], error,
                                "line %zu has a layer of that name",
                                model->layer[ref[i - 1].index].line);
    free(ref);
    return unique;
}

/* Numbers the blobs in the order in which they are made.  */
static void number_blobs(struct ncnn_model *model)
{
    model->blob = memory_alloc(model->n_references, sizeof *model->blob);
    model->reference = memory_alloc(model->n_references, sizeof *model->reference);
    for (size_t l = 0; l < model->n_layers; l++) {
        const struct ncnn_layer *layer = &model->layer[l];
        size_t first = layer->first + layer->inputs;

        for (size_t o = 0; o < layer->outputs; o++) {
            model->reference[first + o] = model->n_blobs;
            model->blob[model->n_blobs++] =
                (struct ncnn_blob){.name = model->word[first + o], .layer = l, .output = o};
        }
    }
}

/* Finds what the layers read, in REF, the blobs by name.  */
static bool resolve(struct ncnn_model *model, const struct name_ref *ref, struct error *error)
{
    for (size_t l = 0; l < model->n_layers; l++) {
        const struct ncnn_layer *layer = &model->layer[l];

        for (size_t i = 0; i < layer->inputs; i++) {
            const char *name = model->word[layer->first + i];
            const struct name_ref *found = names_look_up(ref, model->n_blobs, name);

            if (found == NULL)
                return ncnn_error(model, layer, error, "reads blob '%s', which no layer makes",
                                  shown(name).text);
            if (model->blob[found->index].layer >= l)
                return ncnn_error(model, layer, error,
                                  "reads blob '%s' before line %zu makes it: a cycle, or not in "
                                  "order",
                                  shown(name).text,
                                  model->layer[model->blob[found->index].layer].line);
            model->reference[layer->first + i] = found->index;
            model->blob[found->index].readers++;
        }
    }
    return true;
}

static bool connect(struct ncnn_model *model, struct error *error)
{
    struct name_ref *ref;
    bool good = true;

    if (!unique_layers(model, error))
        return false;
    number_blobs(model);
    ref = memory_alloc(model->n_blobs, sizeof *ref);
    for (size_t i = 0; i < model->n_blobs; i++)
        ref[i] = (struct name_ref){model->blob[i].name, i};
    names_sort(ref, model->n_blobs);
    for (size_t i = 1; i < model->n_blobs && good; i++)
        if (strcmp(ref[i - 1].name, ref[i].name) == 0)
            good = ncnn_error(model, &model->layer[model->blob[ref[i].index].layer], error,
                              "makes blob '%s', which line %zu has made", shown(ref[i].name).text,
                              model->layer[model->blob[ref[i - 1].index].layer].line);
    good = good && resolve(model, ref, error);
    free(ref);
    return good;
}

/* --- the file --- */

static bool read_lines(struct scan *scan, FILE *notices)
{
    struct ncnn_model *model = scan->model;
    int64_t layers = 0, blobs = 0;
    const char *word;

    if (!clean(scan))
        return false;
    if (!next_line(scan) || (word = next_word(scan)) == NULL || strcmp(word, magic) != 0) {
        scan->line = scan->line == 0 ? 1 : scan->line;
        return line_error(scan, "expected %s, the first line of an ncnn .param file", magic);
    }
    end_line(scan);
    if (!next_line(scan))
        return line_error(scan, "the file ends before the numbers of layers and blobs");
    if (!next_count(scan, "layers", &layers) || !next_count(scan, "blobs", &blobs))
        return false;
    end_line(scan);
    while (next_line(scan)) {
        if (!read_layer(scan))
            return false;
        end_line(scan);
    }
    if (model->n_layers == 0)
        return line_error(scan, "the file ends before the first layer");
    if (!connect(model, scan->error))
        return false;
    if (notices != NULL && (model->n_layers != (size_t)layers || model->n_blobs != (size_t)blobs))
        people_print(notices,
                     "%s: warning: line 2 says %" PRId64 " layers and %" PRId64
                     " blobs, the file holds %zu and %zu\n",
                     model->path, layers, blobs, model->n_layers, model->n_blobs);
    return true;
}

bool ncnn_param_read(struct ncnn_model *model, char *text, size_t length, const char *path,
                     FILE *notices, struct error *error)
{
    struct scan scan = {.model = model, .at = text, .end = text + length, .error = error};

    *model = (struct ncnn_model){.path = path};
    if (read_lines(&scan, notices))
        return true;
    ncnn_param_clear(model);
    return false;
}
