#include <config.h>

#include "harness/io/format.h"

#include <errno.h>
#include <string.h>

#include "harness/io/options.h"
#include "lib/base/error.h"

bool format_parse(const char *command, const char *text, enum table_format *format)
{
    if (strcmp(text, "text") == 0) {
        *format = TABLE_TEXT;
    } else if (strcmp(text, "csv") == 0) {
        *format = TABLE_CSV;
    } else if (strcmp(text, "json") == 0) {
        *format = TABLE_JSON;
    } else {
        complain("%s: --format %s: expected text, csv or json", command, text);
        return false;
    }
    return true;
}

int table_finish(struct table *table, enum table_format format)
{
    bool good = table_print(table, stdout, format);

    if (!good)
        complain("standard output: %s", strerror(errno));
    table_free(table);
    return good ? STATUS_DONE : STATUS_FAILED;
}
