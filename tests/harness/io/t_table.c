/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: what is quoted in CSV and JSON, what a number is, what is missing.  */
#include <config.h>

#include "harness/io/table.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

static const struct table_column columns[] = {{"a name", NULL}, {"size", "bytes"}, {"share", ""}};

/* ROWS of three cells each as FORMAT is WANT.  */
static void check(const char *const *cell, size_t rows, enum table_format format, const char *want,
                  const char *what)
{
    struct table *table = table_new(columns, 3);
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0; i < 3 * rows; i++)
        table_cell(table, "%s", cell[i]);
    ok(table_print(table, out, format), "%s is printed", what);
    memory_stream_close(out);
    is_text(text, want, "%s", what);
    free(text);
    table_free(table);
}

/* CELL in a column of numbers.  */
static void number(const char *cell, const char *want)
{
    const char *const cells[] = {"x", cell, ""};
    char *line = memory_printf("{\"a_name\": \"x\", \"size_bytes\": %s, \"share\": null}\n", want);

    check(cells, 1, TABLE_JSON, line, cell);
    free(line);
}

int main(void)
{
    static const char *const cells[] = {"plain", "12", "0.5", "a,\"b\"", "-3", ""};
    static const char *const odd[] = {"\\ \" \n\t\x01 \xc3\xa4 / \x7f", "1", "2"};
    static const char *const bytes[] = {"\xc3\xa4\xff\xe2\x82|", "1", "2"};
    static const char *const same[] = {"0",    "-0",  "12",      "-3",  "1.5",
                                       "0.25", "1e9", "2.5e-05", "1E+2"};
    static const char *const none[] = {"",   "nan", "inf", "-",   "+1",    "01", ".5",
                                       "1.", "1e",  "0x1", "12 ", "1.5.2", "--1"};

    check(cells, 2, TABLE_TEXT, "a name  size  share\nplain     12    0.5\na,\"b\"     -3\n",
          "text");
    check(cells, 2, TABLE_CSV, "a name,size,share\nplain,12,0.5\n\"a,\"\"b\"\"\",-3,\n", "CSV");
    check(cells, 2, TABLE_JSON,
          "{\"a_name\": \"plain\", \"size_bytes\": 12, \"share\": 0.5}\n"
          "{\"a_name\": \"a,\\\"b\\\"\", \"size_bytes\": -3, \"share\": null}\n",
          "JSON");
    check(odd, 1, TABLE_JSON,
          "{\"a_name\": \"\\\\ \\\" \\u000a\\u0009\\u0001 \xc3\xa4 / \\u007f\", \"size_bytes\": 1,"
          " \"share\": 2}\n",
          "odd characters");
    check(bytes, 1, TABLE_JSON,
          "{\"a_name\": \"\xc3\xa4\\ufffd\\ufffd\\ufffd|\", \"size_bytes\": 1, \"share\": 2}\n",
          "bytes that are no UTF-8");
    check(odd, 1, TABLE_CSV, "a name,size,share\n\"\\ \"\" \n\t\x01 \xc3\xa4 / \x7f\",1,2\n",
          "odd characters as CSV");
    check(odd, 1, TABLE_TEXT,
          "a name                 size  share\n"
          "\\ \" \\n\\t\\x01 \xc3\xa4 / \\x7f     1      2\n",
          "odd characters for people, as wide as what is shown");
    check(cells, 0, TABLE_JSON, "", "no row");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        number(same[i], same[i]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        number(none[i], "null");
    return tap_done();
}
