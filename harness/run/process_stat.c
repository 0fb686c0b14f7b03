/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/process_stat.h"

#include <stdio.h>
#include <string.h>

/* The name stands in parentheses and may hold anything, parentheses too; nothing behind it does. */
const char *process_stat(pid_t process, char text[PROCESS_STAT])
{
    char path[64];
    size_t length;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    in = fopen(path, "re");
    if (in == NULL)
        return NULL;
    length = fread(text, 1, PROCESS_STAT - 1, in);
    fclose(in);
    text[length] = '\0';
    return strrchr(text, ')');
}

bool process_stopped(pid_t process)
{
    char text[PROCESS_STAT];
    const char *stat = process_stat(process, text);

    return stat != NULL && strncmp(stat, ") T", 3) == 0;
}
