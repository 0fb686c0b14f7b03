/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/section_counts.h"

#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/dives/section_classes.h"

/* Vectors in the language of the compiler: any machine, with or without such registers.  */
typedef int32_t lanes __attribute__((vector_size(16)));
enum { LANES = 4, STRIDE = 2 * LANES };

/* Numbers: at first, and at most.  Most searches of small instances need few, and memory that is
 * new to the process costs more than what is done with it.  */
#define LEAST_KEPT_ROOM ((size_t)1 << 12)
#define KEPT_ROOM ((size_t)1 << 16)

static inline lanes load(const int32_t *from)
{
    lanes v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(int32_t *to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

static inline lanes all_lanes(int32_t value)
{
    return (lanes){value, value, value, value};
}

static inline bool any_lane(lanes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* With fewer sections blocks of them are not worth it.  */
enum { LEAST_SECTIONS = 8 * COUNTS_BLOCK };

/* Loops read and write whole vectors.  */
static int32_t *lanes_alloc(size_t count)
{
    return memory_zalloc(count + STRIDE, sizeof(int32_t));
}

void section_counts_init(struct section_counts *counts, const struct section_classes *classes)
{
    *counts = (struct section_counts){
        .classes = classes,
        .n = (classes->n + STRIDE - 1) / STRIDE * STRIDE,
        .start = lanes_alloc(classes->n),
        .size = lanes_alloc(classes->n),
        .candidates = lanes_alloc(classes->sections),
        .limit = lanes_alloc(classes->sections),
        .limit_before = lanes_alloc(classes->sections),
        .blocks = classes->sections >= LEAST_SECTIONS,
        .least_limit = memory_alloc(classes->sections / COUNTS_BLOCK + 1, sizeof(int32_t)),
        .whole = memory_alloc(classes->sections / COUNTS_BLOCK + 1, sizeof(int32_t)),
        .stale = true,
        .near = memory_alloc(classes->n, sizeof *counts->near),
        .kept_room = LEAST_KEPT_ROOM,
        .kept = memory_alloc(LEAST_KEPT_ROOM, sizeof *counts->kept),
    };
    for (size_t c = 0; c < classes->n; c++)
        counts->size[c] = (int32_t)min64(classes->size[c], COUNTS_MOST);
    for (size_t c = classes->n; c < counts->n; c++)
        counts->start[c] = COUNTS_PLACED;
}

void section_counts_clear(struct section_counts *counts)
{
    memory_free(counts->start);
    memory_free(counts->size);
    memory_free(counts->candidates);
    memory_free(counts->limit);
    memory_free(counts->limit_before);
    memory_free(counts->least_limit);
    memory_free(counts->whole);
    memory_free(counts->near);
    memory_free(counts->kept);
    *counts = (struct section_counts){0};
}

/* What FIRST to LAST count of a class that started at BEFORE, under limit_before, and starts
 * at NOW, under limit.  A comparison that holds is -1.  */
static inline void recount_all(struct section_counts *counts, size_t first, size_t last,
                               int32_t before, int32_t now)
{
    static const int32_t mask[2 * LANES] = {-1, -1, -1, -1};
    const int32_t *limit = counts->limit, *limit_before = counts->limit_before;
    int32_t *candidates = counts->candidates;
    lanes was = all_lanes(before), is = all_lanes(now);
    size_t s = first;

    for (; s + LANES <= last + 1; s += LANES)
        store(candidates + s,
              load(candidates + s) + (is > load(limit + s)) - (was > load(limit_before + s)));
    if (s <= last) {
        lanes change = (is > load(limit + s)) - (was > load(limit_before + s));

        store(candidates + s,
              load(candidates + s) + (change & load(mask + LANES - (last + 1 - s))));
    }
}

static inline size_t block_end(size_t s, size_t last)
{
    size_t end = (s / COUNTS_BLOCK + 1) * COUNTS_BLOCK;

    return end < last + 1 ? end : last + 1;
}

/* The same, past blocks in which the class, whose start has not fallen, is below all limits: so it
 * was.  */
static inline void recount(struct section_counts *counts, size_t first, size_t last, int32_t before,
                           int32_t now)
{
    if (!counts->blocks || last - first < COUNTS_BLOCK) {
        recount_all(counts, first, last, before, now);
        return;
    }
    for (size_t s = first, end; s <= last; s = end) {
        end = block_end(s, last);
        if (now > counts->least_limit[s / COUNTS_BLOCK])
            recount_all(counts, s, end - 1, before, now);
    }
}

/* The least limits of the blocks that FIRST to LAST are in.  */
static void find_least_limits(struct section_counts *counts, size_t first, size_t last)
{
    if (!counts->blocks)
        return;
    for (size_t block = first / COUNTS_BLOCK; block <= last / COUNTS_BLOCK; block++) {
        size_t from = block * COUNTS_BLOCK, end = block_end(from, counts->classes->sections - 1);
        int32_t least = INT32_MAX;

        for (size_t s = from; s < end; s++)
            least = counts->limit[s] < least ? counts->limit[s] : least;
        counts->least_limit[block] = least;
    }
}

/* FIRST to LAST have limits that are no longer those of before.  */
static void take_limits(struct section_counts *counts, size_t first, size_t last)
{
    memcpy(counts->limit_before + first, counts->limit + first,
           (last - first + 1) * sizeof *counts->limit);
    find_least_limits(counts, first, last);
}

static void set_limits(int32_t *limit, size_t first, size_t last, int64_t capacity,
                       const int64_t *rest)
{
    for (size_t s = first; s <= last; s++)
        limit[s] = rest[s] == 0 ? INT32_MAX : (int32_t)(capacity - rest[s]);
}

/* Limits and counts are those of the starts, unless they are stale.  */
static void check_counts(const struct section_counts *counts, int64_t capacity, const int64_t *rest)
{
    const struct section_classes *classes = counts->classes;

    if (counts->stale || !check_due(counts->kept_end, classes->start[classes->sections]))
        return;
    for (size_t s = 0; s < classes->sections && counts->blocks; s++)
        CHECK(counts->least_limit[s / COUNTS_BLOCK] <= counts->limit[s], "candidate counts",
              "no limit of a block is below its least");
    for (size_t s = 0; s < classes->sections; s++) {
        int64_t limit = rest[s] == 0 ? INT32_MAX : capacity - rest[s];
        int32_t candidates = 0;

        for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++)
            candidates += counts->start[classes->member[i]] <= limit;
        CHECK(counts->limit[s] == limit && counts->limit_before[s] == limit, "candidate counts",
              "a section's limit is what the rest of its members leaves");
        CHECK(rest[s] == 0 ? counts->candidates[s] > 0 : counts->candidates[s] == candidates,
              "candidate counts",
              "a section's candidates are the members that start within its limit");
    }
}

/* Class C is new.  Blocks that lie in it whole, with all limits above its start, have it in
 * `whole`.  */
static void count_class(struct section_counts *counts, size_t c)
{
    size_t first = counts->classes->first[c], last = counts->classes->last[c];
    int32_t start = counts->start[c];

    if (!counts->blocks) {
        recount_all(counts, first, last, COUNTS_PLACED, start);
        return;
    }
    for (size_t s = first, end; s <= last; s = end) {
        end = block_end(s, last);
        if (end - s == COUNTS_BLOCK && start <= counts->least_limit[s / COUNTS_BLOCK])
            counts->whole[s / COUNTS_BLOCK]++;
        else
            recount_all(counts, s, end - 1, COUNTS_PLACED, start);
    }
}

void section_counts_anew(struct section_counts *counts, int64_t capacity, const int64_t *rest)
{
    const struct section_classes *classes = counts->classes;
    size_t sections = classes->sections;

    set_limits(counts->limit, 0, sections - 1, capacity, rest);
    find_least_limits(counts, 0, sections - 1);
    /* As if nothing could be the lowest before.  */
    memset(counts->limit_before, 0, sections * sizeof *counts->limit_before);
    memset(counts->candidates, 0, sections * sizeof *counts->candidates);
    memset(counts->whole, 0, (sections / COUNTS_BLOCK + 1) * sizeof *counts->whole);
    for (size_t c = 0; c < classes->n; c++)
        count_class(counts, c);
    for (size_t s = 0; s < sections; s++)
        counts->candidates[s] += counts->whole[s / COUNTS_BLOCK];
    memcpy(counts->limit_before, counts->limit, sections * sizeof *counts->limit);
    counts->kept_base = counts->kept_end;
    counts->stale = false;
    CHECK_INVARIANT(check_counts(counts, capacity, rest));
}

/* Room for so many numbers that are kept, up to KEPT_ROOM of them.  */
static void lengthen_kept(struct section_counts *counts, size_t count)
{
    while (counts->kept_room < count)
        counts->kept_room *= 2;
    counts->kept = memory_resize(counts->kept, counts->kept_room, sizeof *counts->kept);
}

/* Keeps the counts of FIRST to LAST, then FIRST and how many they are, to be read from the end.
 * When there is no room, all that was kept goes.  */
static void keep(struct section_counts *counts, size_t first, size_t last)
{
    size_t count = last - first + 1;
    int32_t *to;

    if (counts->kept_end - counts->kept_base + count + 2 > KEPT_ROOM)
        counts->kept_base = counts->kept_end;
    if (count + 2 > KEPT_ROOM) {
        counts->kept_base = ++counts->kept_end;
        return;
    }
    if (counts->kept_end - counts->kept_base + count + 2 > counts->kept_room)
        lengthen_kept(counts, (size_t)(counts->kept_end - counts->kept_base) + count + 2);
    to = counts->kept + (counts->kept_end - counts->kept_base);
    memcpy(to, counts->candidates + first, count * sizeof *to);
    to[count] = (int32_t)first;
    to[count + 1] = (int32_t)count;
    counts->kept_end += count + 2;
}

/* What happens while the counts are stale can't be taken back without counting anew.  */
static bool is_stale(struct section_counts *counts)
{
    if (counts->stale)
        counts->kept_end++;
    return counts->stale;
}

void section_counts_moved(struct section_counts *counts, uint32_t c, int32_t before)
{
    size_t first = counts->classes->first[c], last = counts->classes->last[c];

    if (is_stale(counts))
        return;
    keep(counts, first, last);
    recount(counts, first, last, before, counts->start[c]);
}

void section_counts_placed(struct section_counts *counts, uint32_t c, int32_t before,
                           int64_t capacity, const int64_t *rest)
{
    const struct section_classes *classes = counts->classes;
    uint32_t first = classes->first[c], last = classes->last[c], from = first, to = last;

    if (is_stale(counts))
        return;
    for (size_t i = 0; i < counts->n_near; i++) {
        const struct counts_near *near = &counts->near[i];

        if (counts->start[near->class] == near->before)
            continue;
        from = classes->first[near->class] < from ? classes->first[near->class] : from;
        to = classes->last[near->class] > to ? classes->last[near->class] : to;
    }
    keep(counts, from, to);
    set_limits(counts->limit, first, last, capacity, rest);
    if (counts->start[c] == COUNTS_PLACED)
        recount(counts, first, last, before, COUNTS_PLACED);
    /* Where a start stays, only the limits of the sections in common are new.  */
    for (size_t i = 0; i < counts->n_near; i++) {
        size_t d = counts->near[i].class;
        bool stays = counts->start[d] == counts->near[i].before;
        size_t low = stays && classes->first[d] < first ? first : classes->first[d];
        size_t high = stays && classes->last[d] > last ? last : classes->last[d];

        recount(counts, low, high, counts->near[i].before, counts->start[d]);
    }
    take_limits(counts, first, last);
    CHECK_INVARIANT(check_counts(counts, capacity, rest));
}

void section_counts_back(struct section_counts *counts, uint64_t mark, uint32_t c, int64_t capacity,
                         const int64_t *rest)
{
    size_t first = counts->classes->first[c], last = counts->classes->last[c];

    if (counts->stale || mark < counts->kept_base) {
        counts->stale = true;
        counts->kept_end = mark;
        return;
    }
    if (mark == counts->kept_end)
        return;
    while (counts->kept_end > mark) {
        const int32_t *end = counts->kept + (counts->kept_end - counts->kept_base);
        size_t count = (size_t)end[-1];

        memcpy(counts->candidates + end[-2], end - 2 - count, count * sizeof *end);
        counts->kept_end -= count + 2;
    }
    set_limits(counts->limit, first, last, capacity, rest);
    take_limits(counts, first, last);
    CHECK_INVARIANT(check_counts(counts, capacity, rest));
}

/* --- looking --- */

/* Counts that are looked at together: what is looked for is in few places.  */
enum { LOOK = 4 * LANES };

size_t section_counts_find(const struct section_counts *counts, size_t from, int32_t candidates)
{
    size_t sections = counts->classes->sections, s = from;
    const int32_t *count = counts->candidates;
    lanes wanted = all_lanes(candidates);

    for (; s + LOOK <= sections; s += LOOK)
        if (any_lane((load(count + s) == wanted) | (load(count + s + LANES) == wanted) |
                     (load(count + s + 2 * LANES) == wanted) |
                     (load(count + s + 3 * LANES) == wanted)))
            break;
    for (; s < sections; s++)
        if (count[s] == candidates)
            return s;
    return SIZE_MAX;
}

static inline lanes lesser(lanes a, lanes b)
{
    lanes less = a < b;

    return (a & less) | (b & ~less);
}

int32_t section_counts_least_end(const struct section_counts *counts)
{
    const int32_t *start = counts->start, *size = counts->size;
    lanes even = all_lanes(INT32_MAX), odd = even;
    int32_t least = INT32_MAX;

    for (size_t c = 0; c < counts->n; c += STRIDE) {
        even = lesser(even, load(start + c) + load(size + c));
        odd = lesser(odd, load(start + c + LANES) + load(size + c + LANES));
    }
    even = lesser(even, odd);
    for (size_t i = 0; i < LANES; i++)
        least = even[i] < least ? even[i] : least;
    return least;
}

void section_counts_below(const struct section_counts *counts, int32_t end, int32_t *below)
{
    const struct section_classes *classes = counts->classes;
    lanes limit = all_lanes(end);
    int32_t sum = 0;

    /* What begins in a section, less what ended before it; then the sums.  */
    memset(below, 0, (classes->sections + 1) * sizeof *below);
    for (size_t from = 0; from < counts->n; from += STRIDE) {
        if (!any_lane((load(counts->start + from) < limit) |
                      (load(counts->start + from + LANES) < limit)))
            continue;
        for (size_t c = from; c < from + STRIDE && c < classes->n; c++)
            if (counts->start[c] < end) {
                below[classes->first[c]]++;
                below[classes->last[c] + 1]--;
            }
    }
    for (size_t s = 0; s < classes->sections; s++) {
        sum += below[s];
        below[s] = sum;
    }
}
