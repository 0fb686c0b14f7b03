/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line on standard error that says how far something is and is rewritten;
 * only on a terminal, anywhere else nothing is written.  */
#ifndef ARENABENCH_HARNESS_IO_STATUS_LINE_H
#define ARENABENCH_HARNESS_IO_STATUS_LINE_H

#include <stdbool.h>

struct status_line {
    bool terminal;
    double start; /* moments, by timer_now */
    double last_shown;
    char elapsed[32]; /* since the start, when it was last due */
};

/* Nothing is shown for the first moment: what is over at once needs no line.  */
void status_line_start(struct status_line *line);
/* Whether there is a terminal, and it is time for another text.  */
bool status_line_due(struct status_line *line);
/* Seconds between two texts; infinite without a terminal.  */
double status_line_period(const struct status_line *line);
/* Cut at the terminal's width.  */
void status_line_show(struct status_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes room for a message.  */
void status_line_clear(struct status_line *line);

/* Seconds as 0:07, 12:34 or 1:02:03.  */
const char *status_line_clock(double seconds, char text[32]);

#endif
