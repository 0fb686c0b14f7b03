/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memories of a chip, the fastest first, and what a byte costs there.  */
#ifndef ARENABENCH_MEMORIES_MEMORY_H
#define ARENABENCH_MEMORIES_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

/* Costs are kept in thousandths of whatever unit the user counts in (cycles, picojoules).  */
#define MEMORY_COST_UNIT 1000

/* Bytes [begin, end) of a memory that nobody may use.  */
struct memory_range {
    int64_t begin, end;
};

/* By begin, for sort_stable.  */
int memory_range_compare(const void *a, const void *b);

struct memory {
    char *name;
    int64_t capacity;    /* bytes; INT64_MAX: there is no limit */
    double share;        /* of an instance's load, which the capacity comes from; 0: it is stated */
    int64_t alignment;   /* offsets are multiples of it */
    int64_t read, write; /* cost of a byte, in thousandths; -1: not said */
    size_t n_reserved;
    struct memory_range *reserved; /* ascending, apart from each other, within the capacity */
};

struct memories {
    size_t count;
    struct memory *memory;
};

/* Adds the memory that TEXT describes: NAME[=CAPACITY][,read=COST][,write=COST][,align=BYTES]
 * [,reserve=OFFSET+BYTES]..., capacity and bytes with units (parse_bytes), costs with up to three
 * decimals.  A capacity such as 50% is a share of an instance's load (memories_size).  Refuses a
 * second memory of one name.  MEMORIES begins as zeros.  */
bool memories_add(struct memories *memories, const char *text, struct error *error);

/* Capacities that are shares, of an instance with that LOAD, rounded down.  False where a reserved
 * range ends above one.  Without it such a memory has no limit.  */
bool memories_size(struct memories *memories, int64_t load, struct error *error);
void memories_clear(struct memories *memories);

/* Once all are added: what is not said costs 0, but where none says anything a byte costs 1 in each
 * memory but the first, so that the cost is the traffic outside of the first one.  */
void memories_default_costs(struct memories *memories);

/* The bytes that buffers can have in MEMORY: its capacity without what is reserved.  */
int64_t memory_room(const struct memory *memory);

/* Of offsets in MEMORY of a buffer that has ALIGNMENT already.  INT64_MAX where the least common
 * multiple does not fit: 0 is the only offset that suits.  */
int64_t memory_alignment(const struct memory *memory, int64_t alignment);

#endif
