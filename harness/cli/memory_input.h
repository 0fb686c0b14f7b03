/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memories that a command is given, and a split over them that a file holds.  */
#ifndef ARENABENCH_HARNESS_CLI_MEMORY_INPUT_H
#define ARENABENCH_HARNESS_CLI_MEMORY_INPUT_H

#include <stdbool.h>

#include "harness/io/expand.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "memories/memory.h"
#include "memories/split.h"

/* What the options say.  */
struct memory_wish {
    const char *chip;
    struct text_list texts;
};

/* Two rows of a command's options, for WISH, a struct memory_wish.  */
#define MEMORY_OPTIONS(wish)                                                                     \
    {"memory",                                                                                   \
     OPTION_LIST,                                                                                \
     &(wish)->texts,                                                                             \
     "MEMORY",                                                                                   \
     "NAME=CAPACITY,read=COST,write=COST,align=BYTES,reserve=OFFSET+BYTES; the fastest first",   \
     0,                                                                                          \
     0},                                                                                         \
    {                                                                                            \
        "chip", OPTION_TEXT, &(wish)->chip, "NAME",                                              \
            "the memories of ethos-u65, npu-energy or stm32h743, or of a file with one a line; " \
            "others follow them",                                                                \
            0, 0                                                                                 \
    }

/* Whether it names a memory.  */
bool memory_wished(const struct memory_wish *wish);

/* The memories of WISH, at least one, as INSTANCE makes them.  False after a message.  MEMORIES
 * begins as zeros, and is the caller's to clear in each case.  */
bool memory_input(const char *command, const struct memory_wish *wish,
                  const struct instance *instance, struct memories *memories);

/* Reads the split of PROBLEM in the file PATH (-: standard input); nothing is judged.  SPLIT is the
 * caller's.  */
bool split_read(const char *path, const struct split_problem *problem, struct split *split,
                struct error *error);

/* A split that was read, and what it is one of.  */
struct split_input {
    struct memories memories;
    struct split_problem problem;
    struct split split;
};

/* Both of the above.  False after a message; else the caller clears INPUT.  */
bool split_input(const char *command, const struct memory_wish *wish,
                 const struct instance *instance, const char *path, struct split_input *input);
void split_input_clear(struct split_input *input);

#endif
