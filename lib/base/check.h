/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants, worked out from scratch in builds with --enable-checks.
 *
 * What a structure keeps up to date step by step, its check works out again in the
 * plainest way and compares, after every step.  Without --enable-checks such calls are
 * compiled, so that they stay right, and then left out.  `assert` is for what is cheap
 * to ask at the entry of a function; it is always on.  */
#ifndef ARENABENCH_LIB_BASE_CHECK_H
#define ARENABENCH_LIB_BASE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef ENABLE_CHECKS
enum { CHECKS = 1 };
#else
enum { CHECKS = 0 };
#endif

/* Calls the check of a structure: CHECK_INVARIANT(index_set_check(set)).  */
#define CHECK_INVARIANT(call) \
    do {                      \
        if (CHECKS)           \
            call;             \
    } while (0)

/* For checks: ends the program unless CONDITION.  STRUCTURE and INVARIANT, which does not
 * hold then, are texts for people.  */
#define CHECK(condition, structure, invariant) \
    ((condition) ? (void)0 : check_failed(structure, invariant, __FILE__, __LINE__))

/* "FILE:LINE: STRUCTURE: broken invariant: INVARIANT" on standard error, then abort.  */
_Noreturn void check_failed(const char *structure, const char *invariant, const char *file,
                            int line);

/* Whether a check that looks at WORK things is due at STEP, a number that changes from step
 * to step: at each one of a small structure, and as often at a large one as leaves each
 * step the same work on average.  */
static inline bool check_due(uint64_t step, uint64_t work)
{
    enum { EACH_STEP = 128 };

    return step % (work / EACH_STEP + 1) == 0;
}

#endif
