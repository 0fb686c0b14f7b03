/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page opens with: the tables that answer, row by row in sentences.  */
#ifndef ARENABENCH_HARNESS_REPORT_PAGE_ANSWER_H
#define ARENABENCH_HARNESS_REPORT_PAGE_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

struct report;
struct shown;

/* Whether a table is one of them.  */
bool page_is_answer(const struct shown *shown);

/* Writes those that were made, each with its sentences and its caption.  */
bool page_write_answers(const struct report *report, FILE *out, struct error *error);

#endif
