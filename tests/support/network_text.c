/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/network_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "tests/support/tap.h"

enum { WORD = 40, MOST_INPUTS = 16, MOST_OUTPUTS = 4 };

struct kind {
    const char *word;
    enum op_kind kind;
};

static const struct kind kinds[] = {
    {"conv", OP_CONV},       {"relu", OP_ACTIVATION},       {"add", OP_ELEMENTWISE},
    {"sub", OP_ELEMENTWISE}, {"mul", OP_ELEMENTWISE},       {"mixed", OP_ELEMENTWISE},
    {"softmax", OP_SOFTMAX}, {"batch_norm", OP_BATCH_NORM}, {"concat", OP_CONCAT},
    {"split", OP_SPLIT},     {"alias", OP_ALIAS},
};

/* An operator keeps the word, so it has to be one that stays.  */
static const struct kind *kind_of(const char *word)
{
    static const struct kind other = {"other", OP_OTHER};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return &kinds[i];
    return &other;
}

/* Passes white space and C; false where something else stands.  */
static bool passes(const char **text, char c)
{
    while (isspace((unsigned char)**text))
        (*text)++;
    if (**text != c)
        return false;
    *text += c != '\0';
    return true;
}

static void read_word(const char **text, char word[WORD])
{
    int length = 0;

    if (sscanf(*text, " %39[a-z_A-Z0-9]%n", word, &length) != 1)
        tap_bail(*text);
    *text += length;
}

/* A value as it is written, before anybody makes it.  */
struct draft {
    char name[WORD];
    bool weight, output, optional;
    int rank;
    int64_t dim[NETWORK_MAX_RANK];
};

static struct draft read_value(const char **text)
{
    struct draft draft = {.rank = 0};
    char *end;

    read_word(text, draft.name);
    draft.weight = passes(text, '*');
    draft.output = passes(text, '!');
    draft.optional = passes(text, '?');
    if (!passes(text, ':'))
        tap_bail(*text);
    do {
        draft.dim[draft.rank++] = strtoll(*text, &end, 10);
        if (end == *text)
            tap_bail(*text);
        *text = end;
    } while (draft.rank < NETWORK_MAX_RANK && passes(text, 'x'));
    return draft;
}

static size_t find_value(const struct network *network, const char *name)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (strcmp(network->value[v].name, name) == 0)
            return v;
    tap_bail(name);
}

/* "word(input, ...)" */
static size_t read_op(struct network *network, const char *name, const char **text)
{
    char word[WORD], input[WORD];
    size_t from[MOST_INPUTS], inputs = 0;
    const struct kind *kind;

    read_word(text, word);
    if (!passes(text, '('))
        tap_bail(*text);
    while (!passes(text, ')')) {
        read_word(text, input);
        if (inputs == MOST_INPUTS)
            tap_bail(*text);
        from[inputs++] = find_value(network, input);
        passes(text, ',');
    }
    kind = kind_of(word);
    return network_add_op(network, name, kind->kind, kind->word, from, inputs);
}

/* What stands up to a semicolon.  */
static void read_line(struct network *network, const char **text)
{
    struct draft draft[MOST_OUTPUTS];
    size_t count = 0, op;
    bool made = false;

    do {
        draft[count++] = read_value(text);
        made = passes(text, '=');
    } while (!made && count < MOST_OUTPUTS && isalpha((unsigned char)**text));
    if (!made) {
        const size_t v =
            network_add_value(network, draft[0].name, draft[0].weight ? VALUE_WEIGHT : VALUE_INPUT,
                              DTYPE_I8, draft[0].rank, draft[0].dim);

        if (draft[0].output)
            network_mark_output(network, v);
        return;
    }
    op = read_op(network, draft[0].name, text);
    for (size_t i = 0; i < count; i++) {
        size_t v =
            network_add_output(network, op, draft[i].name, DTYPE_I8, draft[i].rank, draft[i].dim);

        network->value[v].optional = draft[i].optional;
        if (draft[i].output)
            network_mark_output(network, v);
    }
    reuse_infer(network, op);
}

struct network *network_of_text(const char *name, const char *text)
{
    struct network *network = network_new(name);

    do {
        read_line(network, &text);
    } while (passes(&text, ';'));
    if (!passes(&text, '\0'))
        tap_bail(text);
    return network;
}

struct instance *lifetimes_of(struct network *network, struct schedule *schedule,
                              const struct lifetime_options *options)
{
    struct error error = {""};
    struct instance *instance = lifetimes_instance(
        network, schedule != NULL ? schedule : schedule_file_order(network), options, &error);

    if (instance == NULL)
        tap_bail(error.text);
    return instance;
}
