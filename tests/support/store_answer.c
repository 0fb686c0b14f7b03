/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/store_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

struct store *opened(const char *dir, bool create)
{
    struct error error = {""};
    struct store *store = store_open(dir, create, &error);

    if (store == NULL)
        tap_bail(error.text);
    return store;
}

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

void is_csv(const char *got, const char *want, const char *what)
{
    const char *const all = want;
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    while (*got != '\0') {
        const size_t line = strcspn(got, "\n"), begin = strcspn(want, "\n");
        const bool longer =
            begin > 0 && line > begin && got[begin] == ',' && strncmp(got, want, begin) == 0;

        fprintf(out, "%.*s%s", (int)(longer ? begin : line), got, got[line] == '\n' ? "\n" : "");
        got += line + (got[line] == '\n');
        want += begin + (want[begin] == '\n');
    }
    memory_stream_close(out);
    is_text(text, all, "%s", what);
    free(text);
}
