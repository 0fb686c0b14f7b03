/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/onnx_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

/* --- the wire format --- */

static void put_byte(struct wire *wire, uint8_t byte)
{
    wire->data = memory_grow(wire->data, &wire->capacity, wire->size + 1, 1);
    wire->data[wire->size++] = byte;
}

static void put_varint(struct wire *wire, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        put_byte(wire, (uint8_t)(number | 0x80));
    put_byte(wire, (uint8_t)number);
}

void wire_number(struct wire *wire, unsigned field, int64_t number)
{
    put_varint(wire, (uint64_t)field << 3);
    put_varint(wire, (uint64_t)number);
}

void wire_bytes(struct wire *wire, unsigned field, const void *data, size_t size)
{
    const uint8_t *byte = data;

    put_varint(wire, (uint64_t)field << 3 | 2);
    put_varint(wire, size);
    for (size_t i = 0; i < size; i++)
        put_byte(wire, byte[i]);
}

void wire_text(struct wire *wire, unsigned field, const char *text)
{
    wire_bytes(wire, field, text, strlen(text));
}

void wire_message(struct wire *wire, unsigned field, struct wire *message)
{
    wire_bytes(wire, field, message->data, message->size);
    wire_clear(message);
}

void wire_clear(struct wire *wire)
{
    free(wire->data);
    *wire = (struct wire){0};
}

static void put_float(struct wire *wire, unsigned field, float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    put_varint(wire, (uint64_t)field << 3 | 5);
    for (int i = 0; i < 4; i++)
        put_byte(wire, (uint8_t)(bits >> 8 * i));
}

/* --- the text --- */

enum { NAME_ROOM = 64, MOST_TENSORS = 16, MOST_GRAPHS = 32, MOST_OPEN = 8 };

struct named {
    char name[NAME_ROOM];
    struct wire wire;
};

struct parser {
    int64_t opset;
    size_t tensors, graphs;
    struct named tensor[MOST_TENSORS], graph[MOST_GRAPHS];
    char node[NAME_ROOM], domain[NAME_ROOM]; /* of the next node */
    struct wire open[MOST_OPEN];             /* graphs that are being written */
    char open_name[MOST_OPEN][NAME_ROOM];
    size_t depth;
};

static _Noreturn void mistake(const char *what)
{
    fprintf(stderr, "model text: %s\n", what);
    abort();
}

static void keep_name(char to[NAME_ROOM], const char *name)
{
    size_t size = strlen(name) + 1;

    if (size > NAME_ROOM)
        mistake(name);
    memcpy(to, name, size);
}

static int element_type(const char *word)
{
    static const char *const names[] = {"",    "f32", "u8",     "i8",   "u16", "i16",
                                        "i32", "i64", "string", "bool", "f16", "f64",
                                        "u32", "u64", "c64",    "c128", "bf16"};

    for (int i = 1; i < 17; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    mistake(word);
}

static const struct wire *find(const struct named *named, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(named[i].name, name) == 0)
            return &named[i].wire;
    mistake(name);
}

static char *next_word(char **rest)
{
    return strtok_r(NULL, " ", rest);
}

/* The rest of a line as ValueInfoProto: NAME [TYPE DIMENSION...].  */
static struct wire value_info(const char *name, char **rest)
{
    struct wire info = {0}, type = {0}, tensor = {0}, shape = {0};
    char *word = next_word(rest);

    wire_text(&info, 1, name);
    if (word == NULL)
        return info;
    wire_number(&tensor, 1, element_type(word));
    while ((word = next_word(rest)) != NULL) {
        struct wire dim = {0};
        char *end;
        int64_t number = strtoll(word, &end, 10);

        if (*end == '\0')
            wire_number(&dim, 1, number);
        else if (strcmp(word, "?") != 0)
            wire_text(&dim, 2, word);
        wire_message(&shape, 1, &dim);
    }
    wire_message(&tensor, 2, &shape);
    wire_message(&type, 1, &tensor);
    wire_message(&info, 2, &type);
    return info;
}

/* Words of two hexadecimal digits as the raw elements of a tensor.  */
static void put_raw(struct wire *wire, char **rest)
{
    struct wire raw = {0};
    char *word;

    while ((word = next_word(rest)) != NULL)
        put_byte(&raw, (uint8_t)strtol(word, NULL, 16));
    wire_message(wire, 9, &raw);
}

/* Where the data are in another file.  */
static void put_external(struct wire *wire, char **rest)
{
    static const char *const keys[] = {"location", "offset", "length"};
    char *word;

    wire_number(wire, 14, 1);
    for (size_t i = 0; i < 3 && (word = next_word(rest)) != NULL; i++) {
        struct wire entry = {0};

        if (strcmp(word, "_") == 0)
            continue;
        wire_text(&entry, 1, keys[i]);
        wire_text(&entry, 2, word);
        wire_message(wire, 13, &entry);
    }
}

/* NAME TYPE DIMENSION... [= NUMBER... | raw BYTE... | external WORD...] as TensorProto.  */
static struct wire tensor(const char *name, char **rest)
{
    struct wire wire = {0};
    char *word = next_word(rest);
    int type = word == NULL ? 0 : element_type(word);

    while ((word = next_word(rest)) != NULL && strchr("=re", word[0]) == NULL)
        wire_number(&wire, 1, strtoll(word, NULL, 10));
    wire_number(&wire, 2, type);
    wire_text(&wire, 8, name);
    if (word != NULL && strcmp(word, "raw") == 0)
        put_raw(&wire, rest);
    else if (word != NULL && strcmp(word, "external") == 0)
        put_external(&wire, rest);
    while (word != NULL && (word = next_word(rest)) != NULL) {
        if (type == 1)
            put_float(&wire, 4, strtof(word, NULL));
        else
            wire_number(&wire, type == 7 ? 7 : 5, strtoll(word, NULL, 10));
    }
    return wire;
}

/* NAME=VALUE as AttributeProto.  */
static struct wire attribute(const struct parser *parser, char *word)
{
    char *value = strchr(word, '='), *part, *rest;
    bool real, list;
    struct wire wire = {0};

    *value++ = '\0';
    wire_text(&wire, 1, word);
    real = strchr(value, '.') != NULL;
    list = strchr(value, ',') != NULL;
    if (value[0] == '"' && strstr(value, "\",\"") != NULL) {
        for (part = strtok_r(value, "\",", &rest); part != NULL;
             part = strtok_r(NULL, "\",", &rest))
            wire_text(&wire, 9, part);
        wire_number(&wire, 20, 8);
    } else if (value[0] == '"') {
        wire_bytes(&wire, 4, value + 1, strlen(value) - 2);
        wire_number(&wire, 20, 3);
    } else if (value[0] == '$') {
        const struct wire *t = find(parser->tensor, parser->tensors, value + 1);

        wire_bytes(&wire, 5, t->data, t->size);
        wire_number(&wire, 20, 4);
    } else if (value[0] == '@') {
        const struct wire *g = find(parser->graph, parser->graphs, value + 1);

        wire_bytes(&wire, 6, g->data, g->size);
        wire_number(&wire, 20, 5);
    } else if (list) {
        for (part = strtok_r(value, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest))
            if (real)
                put_float(&wire, 7, strtof(part, NULL));
            else
                wire_number(&wire, 8, strtoll(part, NULL, 10));
        wire_number(&wire, 20, real ? 6 : 7);
    } else if (real) {
        put_float(&wire, 2, strtof(value, NULL));
        wire_number(&wire, 20, 1);
    } else {
        wire_number(&wire, 3, strtoll(value, NULL, 10));
        wire_number(&wire, 20, 2);
    }
    return wire;
}

/* OPERATOR INPUT... -> OUTPUT... ATTRIBUTE... as NodeProto.  */
static struct wire node(struct parser *parser, const char *type, char **rest)
{
    struct wire wire = {0};
    unsigned field = 1;
    char *word;

    while ((word = next_word(rest)) != NULL) {
        if (strcmp(word, "->") == 0) {
            field = 2;
        } else if (strchr(word, '=') == NULL) {
            wire_text(&wire, field, strcmp(word, "_") == 0 ? "" : word);
        } else {
            struct wire own = attribute(parser, word);

            wire_message(&wire, 5, &own);
        }
    }
    wire_text(&wire, 4, type);
    if (parser->node[0] != '\0')
        wire_text(&wire, 3, parser->node);
    if (parser->domain[0] != '\0')
        wire_text(&wire, 7, parser->domain);
    parser->node[0] = parser->domain[0] = '\0';
    return wire;
}

static void begin_graph(struct parser *parser, const char *name)
{
    if (parser->depth + 1 == MOST_OPEN)
        mistake("graphs in too many others");
    keep_name(parser->open_name[++parser->depth], name);
}

static void end_graph(struct parser *parser)
{
    struct named *named = &parser->graph[parser->graphs];

    if (parser->depth == 0)
        mistake("an end without its graph");
    if (parser->graphs++ == MOST_GRAPHS)
        mistake("too many graphs");
    wire_text(&parser->open[parser->depth], 2, parser->open_name[parser->depth]);
    keep_name(named->name, parser->open_name[parser->depth]);
    named->wire = parser->open[parser->depth];
    parser->open[parser->depth--] = (struct wire){0};
}

static void add_tensor(struct parser *parser, const char *name, char **rest)
{
    if (parser->tensors == MOST_TENSORS)
        mistake("too many tensors");
    keep_name(parser->tensor[parser->tensors].name, name);
    parser->tensor[parser->tensors++].wire = tensor(name, rest);
}

/* Lines that add a message to the current graph: their words and fields.  */
static bool add_to_graph(struct parser *parser, const char *word, const char *name, char **rest)
{
    static const struct {
        const char *word;
        unsigned field;
    } infos[] = {{"input", 11}, {"output", 12}, {"info", 13}};
    struct wire *graph = &parser->open[parser->depth], wire;

    for (size_t i = 0; i < 3; i++)
        if (strcmp(word, infos[i].word) == 0) {
            wire = value_info(name, rest);
            wire_message(graph, infos[i].field, &wire);
            return true;
        }
    if (strcmp(word, "init") == 0) {
        wire = tensor(name, rest);
        wire_message(graph, 5, &wire);
        return true;
    }
    return false;
}

static void parse_line(struct parser *parser, char *line)
{
    char *rest, *word = strtok_r(line, " ", &rest);
    static const char *const named[] = {"input", "output", "info",   "init", "tensor",
                                        "graph", "opset",  "domain", "node"};
    struct wire wire;
    char *name;

    if (word == NULL)
        return;
    if (strcmp(word, "end") == 0) {
        end_graph(parser);
        return;
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (strcmp(word, named[i]) != 0)
            continue;
        name = next_word(&rest);
        if (name == NULL)
            mistake(word);
        if (add_to_graph(parser, word, name, &rest))
            return;
        if (strcmp(word, "tensor") == 0) {
            add_tensor(parser, name, &rest);
        } else if (strcmp(word, "graph") == 0) {
            begin_graph(parser, name);
        } else if (strcmp(word, "opset") == 0) {
            parser->opset = strtoll(name, NULL, 10);
        } else {
            keep_name(strcmp(word, "node") == 0 ? parser->node : parser->domain, name);
        }
        return;
    }
    wire = node(parser, word, &rest);
    wire_message(&parser->open[parser->depth], 1, &wire);
}

struct wire onnx_from_text(const char *text)
{
    struct parser parser = {.opset = 13};
    char *copy = memory_strdup(text), *rest = copy, *line;
    struct wire model = {0}, set = {0};

    while ((line = strsep(&rest, "\n")) != NULL)
        parse_line(&parser, line);
    free(copy);
    if (parser.depth > 0)
        mistake("a graph without its end");
    wire_text(&parser.open[0], 2, "test");
    wire_number(&model, 1, 8);
    wire_text(&set, 1, "");
    wire_number(&set, 2, parser.opset);
    wire_message(&model, 8, &set);
    wire_message(&model, 7, &parser.open[0]);
    for (size_t i = 0; i < parser.tensors; i++)
        wire_clear(&parser.tensor[i].wire);
    for (size_t i = 0; i < parser.graphs; i++)
        wire_clear(&parser.graph[i].wire);
    return model;
}
