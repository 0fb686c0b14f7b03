/* SPDX-License-Identifier: Apache-2.0 */
/* One error message, written where the place (file, line, column) is known.
 *
 * Functions that can fail on bad input return a bool or NULL and fill a
 * struct error; the caller that talks to the user prints it once.  */
#ifndef ARENABENCH_LIB_BASE_ERROR_H
#define ARENABENCH_LIB_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of the program and of functions that end a command.  */
enum status {
    STATUS_DONE = 0,   /* the work was done */
    STATUS_FAILED = 1, /* the work failed */
    STATUS_USAGE = 2,  /* bad usage or bad input */
};

struct error {
    char text[1024]; /* one sentence without a final newline; empty: no error */
};

/* Writes the message and returns false, so that callers can
 * `return error_set(error, ...)`.  ERROR may be NULL.  */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "PREFIX: " before a message that is already there.  */
bool error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "unknown WHAT 'NAME' (did you mean 'A' or 'B'?)" with the likely ones of COUNT
 * CANDIDATES (lib/base/suggest.h), or, where none is, "unknown WHAT 'NAME'HINT".  Returns
 * false.  */
bool error_unknown(struct error *error, const char *what, const char *name,
                   const char *const *candidates, size_t count, const char *hint);

/* What analysers (build-aux/analysis) can't see in another file.  */
#ifdef ARENABENCH_ANALYSIS
#define error_set(...) ((void)error_set(__VA_ARGS__), false)
#define error_prefix(...) ((void)error_prefix(__VA_ARGS__), false)
#define error_unknown(...) ((void)error_unknown(__VA_ARGS__), false)
#endif

#endif
