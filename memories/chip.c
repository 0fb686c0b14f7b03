/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/chip.h"

#include <string.h>

#include "lib/base/memory.h"

/* LINE without its comment and blanks around, within it.  */
static char *stripped(char *line)
{
    static const char blanks[] = " \t\r\v\f";
    size_t length;

    line[strcspn(line, "#")] = '\0';
    line += strspn(line, blanks);
    length = strlen(line);
    while (length > 0 && strchr(blanks, line[length - 1]) != NULL)
        line[--length] = '\0';
    return line;
}

bool chip_parse(const char *path, const char *text, struct memories *memories, struct error *error)
{
    char *copy = memory_strdup(text), *at = copy, *line;
    const size_t before = memories->count;
    size_t number = 0;
    bool good = true;

    while (good && (line = strsep(&at, "\n")) != NULL) {
        number++;
        line = stripped(line);
        if (line[0] != '\0')
            good =
                memories_add(memories, line, error) || error_prefix(error, "%s:%zu", path, number);
    }
    memory_free(copy);
    if (good && memories->count == before)
        return error_set(error, "%s: no memory; expected one a line, such as sram=256KiB", path);
    return good;
}
