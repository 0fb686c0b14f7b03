/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/format.h"

#include <errno.h>
#include <string.h>

#include "harness/io/options.h"
#include "lib/base/error.h"

static const char *const words[] = {
    [TABLE_TEXT] = "text", [TABLE_CSV] = "csv", [TABLE_JSON] = "json"};

const char *format_word(enum table_format format)
{
    return words[format];
}

bool format_parse(const char *command, const char *text, enum table_format *format)
{
    size_t count = sizeof words / sizeof words[0];
    size_t index = option_word(command, "format", text, words, count);

    *format = (enum table_format)index;
    return index < count;
}

int table_finish(struct table *table, enum table_format format)
{
    bool good = table_print(table, stdout, format);

    if (!good)
        complain("standard output: %s", strerror(errno));
    table_free(table);
    return good ? STATUS_DONE : STATUS_FAILED;
}
