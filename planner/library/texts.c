/* SPDX-License-Identifier: Apache-2.0 */
/* Words for people, and the version.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <assert.h>
#include <stddef.h>

#include "lib/problem/search_statistics.h"

const char *arenaplan_status_text(enum arenaplan_status status)
{
    static const char *const text[] = {
        [0] = "unknown",
        [ARENAPLAN_OPTIMAL] = "optimal",
        [ARENAPLAN_FEASIBLE] = "feasible",
        [ARENAPLAN_INFEASIBLE] = "infeasible",
        [ARENAPLAN_INTERRUPTED] = "interrupted",
        [ARENAPLAN_INVALID] = "invalid problem",
        [ARENAPLAN_NO_MEMORY] = "out of memory",
    };

    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown";
}

const char *arenaplan_fault_text(enum arenaplan_fault fault)
{
    static const char *const text[] = {
        [ARENAPLAN_FAULT_NONE] = "nothing is wrong",
        [ARENAPLAN_FAULT_STRUCT] = "a struct is missing, or its size is not set",
        [ARENAPLAN_FAULT_OPTION] = "an option is negative or not a number",
        [ARENAPLAN_FAULT_LIFETIME] = "a lifetime has no step: its end must be above its begin",
        [ARENAPLAN_FAULT_SIZE] = "a size is negative, or less than a piece needs",
        [ARENAPLAN_FAULT_ALIGNMENT] = "an alignment is negative, or an offset no multiple of it",
        [ARENAPLAN_FAULT_PIECE] = "a piece is empty, or overlaps another one of its buffer",
        [ARENAPLAN_FAULT_FLAGS] = "there are flags that this version does not know",
        [ARENAPLAN_FAULT_OFFSET] = "an offset is negative, or not the one that is fixed",
        [ARENAPLAN_FAULT_KEY] = "two buffers have the same key",
        [ARENAPLAN_FAULT_OVERLAP] = "two buffers overlap in time and in bytes",
        [ARENAPLAN_FAULT_CAPACITY] = "a buffer ends above the capacity",
        [ARENAPLAN_FAULT_OVERFLOW] = "sums of sizes, or differences of times, exceed 64 bits",
        [ARENAPLAN_FAULT_LATER] =
            "a struct asks for what only a later version of this library knows",
        [ARENAPLAN_FAULT_MEMORY] = "a memory has a negative number, or there are none or too many",
        [ARENAPLAN_FAULT_ACCESS] =
            "bytes read or written are negative, or its memories make no sense",
    };

    return (size_t)fault < sizeof text / sizeof *text ? text[fault] : "unknown";
}

/* A row is where its member is.  */
#define IN_PLACE(constant, name, ...)                            \
    static_assert(offsetof(struct arenaplan_statistics, name) == \
                      sizeof(int64_t) * STATISTIC_##constant,    \
                  "statistics in another order than their members");
SEARCH_STATISTICS_OF_LIBRARY(IN_PLACE)
#undef IN_PLACE

const char *arenaplan_statistic_name(size_t member)
{
    return member < sizeof(struct arenaplan_statistics) / sizeof(int64_t)
               ? search_statistic_table[member].name
               : NULL;
}

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *arenaplan_version_text(void)
{
    return DOTTED(ARENAPLAN_VERSION_MAJOR, ARENAPLAN_VERSION_MINOR, ARENAPLAN_VERSION_PATCH);
}

uint32_t arenaplan_version(void)
{
    return 10000 * ARENAPLAN_VERSION_MAJOR + 100 * ARENAPLAN_VERSION_MINOR +
           ARENAPLAN_VERSION_PATCH;
}
