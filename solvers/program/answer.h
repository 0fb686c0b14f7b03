/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program answers: plans as CSV, one after the other.
 *
 * The first line is the header of the first plan, and a line that is the same again begins
 * another plan.  A plan is known as soon as a row for each buffer stands there: a
 * program that goes on searching need not end its output, and one that is cut loses only
 * the plan that it was writing.  */
#ifndef ARENABENCH_SOLVERS_PROGRAM_ANSWER_H
#define ARENABENCH_SOLVERS_PROGRAM_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Gets each plan once, when it is known.  False with a message when it is none that
 * counts: then nothing more is read.  */
typedef bool answer_take(void *context, const struct plan *plan, struct error *error);

struct answer {
    const struct instance *instance;
    answer_take *take;
    void *context;

    size_t longest; /* bytes that a plan may have */
    size_t plans;   /* that are known */
    char *text;     /* from the header of the plan that is being written */
    size_t length, capacity;
    size_t header; /* length of that line; 0: it is not whole yet */
    size_t lines;  /* length of the whole lines */
    size_t rows;   /* below the header, without empty lines */
    bool known;    /* this plan is */
};

/* For plans of INSTANCE, of at most LONGEST bytes each.  Freed by answer_clear.  */
void answer_start(struct answer *answer, const struct instance *instance, size_t longest,
                  answer_take *take, void *context);

/* Adds what the program has written next.  False with a message when that can't be the plans of
 * this instance any more: a plan that is whole is malformed, too long, or was not taken.  */
bool answer_add(struct answer *answer, const char *text, size_t length, struct error *error);

/* There is no more.  What was CUT need not be whole; else false with a message when the last
 * plan is malformed, lacks a buffer or was not taken.  An answer of no bytes is fine.  */
bool answer_end(struct answer *answer, bool cut, struct error *error);

void answer_clear(struct answer *answer);

#endif
