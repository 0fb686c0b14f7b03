/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a store says to a query, as one text, for assertions.  */
#ifndef ARENABENCH_TESTS_SUPPORT_STORE_ANSWER_H
#define ARENABENCH_TESTS_SUPPORT_STORE_ANSWER_H

#include <stdbool.h>

struct store;

/* The store DIR, made first with CREATE; without one the program ends.  */
struct store *opened(const char *dir, bool create);

/* The rows as "a|b;c|d;", or the error's text.  The caller frees it.  */
char *store_answer(struct store *store, const char *sql);

/* One assertion, called WHAT: the answer is WANT.  */
void is_answer(struct store *store, const char *sql, const char *want, const char *what);

/* The same of the CSV text GOT, which may have further columns behind those of WANT.  */
void is_csv(const char *got, const char *want, const char *what);

#endif
