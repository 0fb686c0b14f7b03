/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as what commands and experiments call a workload, planners, a convolution's layer, or
 * several of these by braces: refused with a message, or accepted, and then what it is called is
 * read as the same again.  Nothing is made of a workload, and no command is run.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/io/expand.h"
#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "kernels/layer.h"
#include "tests/fuzz/bytes.h"
#include "workloads/workload.h"

static void check_message(const struct error *error)
{
    must(error->text[0] != '\0' && strlen(error->text) < sizeof error->text);
}

static void workload(const char *text)
{
    struct workload first, again;
    struct error error = {""};

    if (!workload_parse(&first, text, &error)) {
        check_message(&error);
        return;
    }
    must(workload_parse(&again, first.label, &error) && strcmp(first.label, again.label) == 0 &&
         first.kind == again.kind);
    workload_clear(&again);
    workload_clear(&first);
}

static void check_contestant(const struct contestant *contestant)
{
    struct contestant again;

    must(contestant_parse(&again, contestant->spec, NULL) &&
         strcmp(again.spec, contestant->spec) == 0 && strcmp(again.label, contestant->label) == 0);
    contestant_clear(&again);
}

static void planners(const char *text)
{
    struct contestants contestants = {0};
    struct error error = {""};

    if (contestants_add_list(&contestants, text, &error))
        for (size_t i = 0; i < contestants.count; i++)
            check_contestant(&contestants.item[i]);
    else
        check_message(&error);
    contestants_clear(&contestants);
}

static void layer(const char *text)
{
    struct conv_shape shape, again;
    struct error error = {""};
    char *name;

    if (!layer_parse(text, &shape, &error)) {
        check_message(&error);
        return;
    }
    name = layer_text(&shape);
    must(layer_parse(name, &again, NULL) && memcmp(&shape, &again, sizeof shape) == 0);
    free(name);
}

/* What braces stand for has none left.  */
static void braces(const char *text)
{
    struct text_list list = {0};
    struct error error = {""};
    const bool good = expand_braces(text, &list, &error);

    must(good ? list.n > 0 && list.n <= EXPAND_MOST : list.n == 0);
    if (!good)
        check_message(&error);
    for (size_t i = 0; i < list.n; i++)
        must(strpbrk(list.text[i], "{}") == NULL);
    text_list_clear(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const parse[])(const char *text) = {workload, planners, layer, braces};
    char *text;

    if (size == 0)
        return 0;
    text = bytes_text(data + 1, size - 1);
    parse[data[0] % (sizeof parse / sizeof parse[0])](text);
    free(text);
    return 0;
}
