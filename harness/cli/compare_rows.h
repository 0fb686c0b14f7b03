/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a comparison: at a terminal as they come, at the end as a table.  */
#ifndef ARENABENCH_HARNESS_CLI_COMPARE_ROWS_H
#define ARENABENCH_HARNESS_CLI_COMPARE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/io/table.h"

struct comparison;
struct status_line;

/* AS_USUAL: as given, or by gap for people.  */
enum compare_order { COMPARE_USUAL, COMPARE_GIVEN, COMPARE_GAP, COMPARE_TIME, COMPARE_NAME };

struct compare_layout {
    enum table_format format;
    enum compare_order order;
    int64_t top;      /* rows; 0: all */
    int64_t capacity; /* with a column that says whose plan fits; 0: without */
    bool people;      /* text at a terminal: units, per cent, and who was skipped not a row each */
};

/* Rows on standard error while others run; all zero at first.  */
struct compare_stream {
    bool *shown; /* of each contestant; the caller frees it */
    int lines, width;
};

/* Shows the rows that have ended since the last call, where LINE is on a terminal.  */
void compare_stream_show(struct compare_stream *stream, const struct comparison *comparison,
                         struct status_line *line);
/* Takes the rows away again where they fit on the screen: the table has them all.  */
void compare_stream_clear(struct compare_stream *stream);

/* The table; the caller hands it to table_finish.  Those that did not run are not in it.  *BAD:
 * whether some plan was invalid or some solver crashed, in the table or not.  */
struct table *compare_table(const struct comparison *comparison,
                            const struct compare_layout *layout, bool *bad);

#endif
