/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a text that may have no end, and its last line for people.  */
#ifndef ARENABENCH_SOLVERS_PROGRAM_TAIL_H
#define ARENABENCH_SOLVERS_PROGRAM_TAIL_H

#include <stdbool.h>
#include <stddef.h>

struct tail {
    size_t length;
    char text[4096]; /* what came last */
};

void tail_add(struct tail *tail, const char *text, size_t length);

/* The last line with anything but blanks in it, without those around it; "" where
 * there is none.  Of a text that was CUT, what follows the last end of a line counts only
 * where there is nothing else.  LINE has room for SIZE bytes; a line that does not fit
 * ends in "...".  It is safe to print: what is neither a visible character nor a
 * blank becomes a question mark.  */
void tail_last_line(const struct tail *tail, bool cut, char *line, size_t size);

#endif
