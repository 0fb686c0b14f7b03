/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody may have meant by a name that there is not.  */
#ifndef ARENABENCH_LIB_BASE_SUGGEST_H
#define ARENABENCH_LIB_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* More would be a list.  */
enum { MOST_SUGGESTIONS = 3 };

/* The names among COUNT CANDIDATES that NAME is likely to have been meant for, the
 * likeliest first: those that begin with it, have it as a word, have it inside, the
 * shorter ones first; then those that are the fewest letters away, if they are near
 * enough for a slip.  Returns how many there are.  */
size_t likely_names(const char *name, const char *const *candidates, size_t count,
                    const char *likely[MOST_SUGGESTIONS]);

/* Writes "did you mean 'A', 'B' or 'C'?", each after PREFIX, into TEXT; false, and "", where
 * nothing is likely.  */
bool suggest(char *text, size_t size, const char *prefix, const char *name,
             const char *const *candidates, size_t count);

#endif
