/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/memory_input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "memories/chip.h"
#include "memories/split_csv.h"

/* A text of memories that is larger is something else.  */
#define MOST_CHIP_BYTES 65536

bool memory_wished(const struct memory_wish *wish)
{
    return wish->chip != NULL || wish->texts.n > 0;
}

/* The memories in a file, or of one of the project's chips.  */
static bool read_chip(const char *spec, struct memories *memories, struct error *error)
{
    const bool named = strpbrk(spec, "/.") == NULL;
    char *file = memory_printf("chips/%s.chip", spec), *text = NULL;
    char *path = named ? share_path(file) : memory_strdup(spec);
    size_t length;
    bool good = file_read(path, MOST_CHIP_BYTES, &text, &length, error) &&
                chip_parse(path, text, memories, error);

    if (!good && text == NULL && named)
        error_set(error, "no chip '%s'; expected ethos-u65, npu-energy, stm32h743 or a file", spec);
    memory_free(text);
    memory_free(path);
    memory_free(file);
    return good;
}

static bool read_wish(const struct memory_wish *wish, struct memories *memories,
                      struct error *error)
{
    if (wish->chip != NULL && !read_chip(wish->chip, memories, error))
        return false;
    for (size_t i = 0; i < wish->texts.n; i++)
        if (!memories_add(memories, wish->texts.text[i], error))
            return false;
    if (memories->count == 0)
        return error_set(error,
                         "no memory; expected --chip NAME, or --memory NAME=CAPACITY,read=COST,"
                         "write=COST, such as --memory sram=256KiB --memory dram");
    memories_default_costs(memories);
    return true;
}

bool memory_input(const char *command, const struct memory_wish *wish,
                  const struct instance *instance, struct memories *memories)
{
    struct error error;

    return (read_wish(wish, memories, &error) && memories_size(memories, instance->load, &error)) ||
           complain("%s: %s", command, error.text);
}

bool split_read(const char *path, const struct split_problem *problem, struct split *split,
                struct error *error)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    bool good;

    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    good = split_csv_read(in, standard ? "standard input" : path, problem, split, error);
    if (!standard)
        fclose(in);
    return good;
}

bool split_input(const char *command, const struct memory_wish *wish,
                 const struct instance *instance, const char *path, struct split_input *input)
{
    struct error error;

    *input = (struct split_input){.memories = {0}};
    if (!memory_input(command, wish, instance, &input->memories)) {
        memories_clear(&input->memories);
        return false;
    }
    if (split_problem_init(&input->problem, instance, &input->memories, &error)) {
        split_init(&input->split, &input->problem);
        if (split_read(path, &input->problem, &input->split, &error))
            return true;
        split_clear(&input->split);
        split_problem_clear(&input->problem);
    }
    memories_clear(&input->memories);
    return complain("%s: %s", command, error.text);
}

void split_input_clear(struct split_input *input)
{
    split_clear(&input->split);
    split_problem_clear(&input->problem);
    memories_clear(&input->memories);
}
