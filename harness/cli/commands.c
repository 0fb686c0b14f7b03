/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/commands.h"

#include <string.h>

#define ROW(name, help) {#name, command_##name, help},
const struct command commands[] = {COMMANDS(ROW)};
#undef ROW

const size_t n_commands = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
