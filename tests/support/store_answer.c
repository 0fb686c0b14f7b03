#include <config.h>

#include "tests/support/store_answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/store/rows.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

char *store_answer(struct store *store, const char *sql)
{
    struct error error = {""};
    struct rows rows;
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    if (!rows_query(&rows, store, sql, NULL, 0, &error))
        fputs(error.text, out);
    for (size_t i = 0; i < rows.count; i++)
        for (size_t c = 0; c < rows.columns; c++)
            fprintf(out, "%s%c", rows_text(&rows, i, c), c + 1 == rows.columns ? ';' : '|');
    memory_stream_close(out);
    rows_clear(&rows);
    return text;
}

void is_answer(struct store *store, const char *sql, const char *want, const char *what)
{
    char *got = store_answer(store, sql);

    is_text(got, want, "%s", what);
    free(got);
}
