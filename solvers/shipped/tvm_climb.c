/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/shipped/tvm_climb.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"

/* --- numbers --- */

/* glibc's rand_r: x' = 1103515245 x + 12345 modulo 2^32, three steps a number; of
 * each the bits from 16 on, 11 of the first and 10 of the others, the first ones
 * uppermost.  In [0, 2^31).  */
static uint32_t next_bits(uint32_t *state, unsigned bits)
{
    *state = *state * UINT32_C(1103515245) + 12345;
    return (*state >> 16) & ((UINT32_C(1) << bits) - 1);
}

static uint64_t draw(struct tvm_climb *climb, uint64_t below)
{
    uint32_t number = next_bits(&climb->random, 11);

    number = number << 10 ^ next_bits(&climb->random, 10);
    number = number << 10 ^ next_bits(&climb->random, 10);
    return number % below;
}

/* --- how many numbers below a limit were added, one by one: a Fenwick tree --- */

/* Empty, for numbers 0 .. LIMIT - 1.  */
static void prefix_counts_init(struct prefix_counts *counts, size_t limit)
{
    counts->limit = limit;
    counts->count = memory_zalloc(limit + 1, sizeof *counts->count);
}

static void prefix_counts_reset(struct prefix_counts *counts)
{
    memset(counts->count, 0, (counts->limit + 1) * sizeof *counts->count);
}

static void prefix_counts_clear(struct prefix_counts *counts)
{
    free(counts->count);
}

static void prefix_counts_add(struct prefix_counts *counts, size_t number)
{
    assert(number < counts->limit);
    for (size_t i = number + 1; i <= counts->limit; i += i & -i)
        counts->count[i]++;
}

static size_t prefix_counts_before(const struct prefix_counts *counts, size_t number)
{
    size_t sum = 0;

    assert(number <= counts->limit);
    for (size_t i = number; i > 0; i -= i & -i)
        sum += counts->count[i];
    return sum;
}

/* --- the order --- */

void tvm_climb_init(struct tvm_climb *climb, const struct instance *instance, struct order_key *key,
                    uint32_t random)
{
    size_t n = instance->n;

    *climb = (struct tvm_climb){.instance = instance, .key = key, .random = random};
    climb->position = memory_alloc(n, sizeof *climb->position);
    for (size_t p = 0; p < n; p++)
        climb->position[key[p].index] = p;
    climb->at_top = memory_zalloc(n, sizeof *climb->at_top);
    climb->first_level = memory_alloc(n, sizeof *climb->first_level);
    climb->second_level = memory_alloc(n, sizeof *climb->second_level);
    prefix_counts_init(&climb->begun, instance->steps);
    prefix_counts_init(&climb->ended, instance->steps);
}

void tvm_climb_clear(struct tvm_climb *climb)
{
    free(climb->key);
    free(climb->position);
    free(climb->at_top);
    free(climb->first_level);
    free(climb->second_level);
    prefix_counts_clear(&climb->begun);
    prefix_counts_clear(&climb->ended);
}

static void swap(struct tvm_climb *climb, size_t p, size_t q)
{
    struct order_key key = climb->key[p];

    climb->key[p] = climb->key[q];
    climb->key[q] = key;
    climb->position[climb->key[p].index] = p;
    climb->position[climb->key[q].index] = q;
}

static bool meets(const struct tvm_climb *climb, size_t a, size_t b)
{
    const struct buffer *buffer = climb->instance->buffer;

    return a != b && buffers_conflict(&buffer[a], &buffer[b]);
}

void tvm_climb_undo(struct tvm_climb *climb)
{
    swap(climb, climb->swapped[1], climb->swapped[0]);
}

/* A worse peak's chance in per cent is worked out in size_t upstream, and wraps
 * around where 50 times the difference passes 2^64.  */
bool tvm_climb_accepts(struct tvm_climb *climb, int64_t peak, int64_t accepted, uint64_t attempt)
{
    uint64_t now = (uint64_t)peak, last = (uint64_t)accepted;

    if (attempt == 0 || now < last)
        return true;
    return draw(climb, 100) < 50 * (now - last) / now / attempt;
}

/* One of the buffers that end at the peak, by their places in the order.  */
static size_t draw_highest(struct tvm_climb *climb)
{
    size_t count = 0, chosen;

    for (size_t p = 0; p < climb->instance->n; p++)
        if (climb->at_top[climb->key[p].index])
            climb->first_level[count++] = climb->key[p].index;
    chosen = (size_t)draw(climb, count);
    return climb->first_level[chosen];
}

static size_t list_first_level(struct tvm_climb *climb, size_t highest)
{
    size_t count = 0;

    for (size_t p = 0; p < climb->position[highest]; p++)
        if (meets(climb, climb->key[p].index, highest))
            climb->first_level[count++] = climb->key[p].index;
    return count;
}

/* From the last place to the first: BEGUN and ENDED hold the buffers that meet
 * HIGHEST and stand later.  A buffer meets those of them that neither begin after
 * its last step nor end before its first one.  */
static uint64_t count_second_level(struct tvm_climb *climb, size_t highest)
{
    uint64_t later = 0, total = 0;

    prefix_counts_reset(&climb->begun);
    prefix_counts_reset(&climb->ended);
    for (size_t p = climb->instance->n; p-- > 0;) {
        size_t b = climb->key[p].index;
        const struct buffer *buffer = &climb->instance->buffer[b];

        climb->second_level[p] = later == 0
                                     ? 0
                                     : prefix_counts_before(&climb->begun, buffer->last + 1) -
                                           prefix_counts_before(&climb->ended, buffer->first);
        total += climb->second_level[p];
        if (meets(climb, b, highest)) {
            prefix_counts_add(&climb->begun, buffer->first);
            prefix_counts_add(&climb->ended, buffer->last);
            later++;
        }
    }
    return total;
}

/* Number I of level 2 in the order of places, as often as each is in it.  */
static size_t second_level_at(const struct tvm_climb *climb, uint64_t i)
{
    size_t p = 0;

    for (; i >= climb->second_level[p]; p++)
        i -= climb->second_level[p];
    return climb->key[p].index;
}

void tvm_climb_propose(struct tvm_climb *climb)
{
    size_t highest = draw_highest(climb);
    size_t first_level = list_first_level(climb, highest), one, other;
    uint64_t second_level;

    if (first_level == 0)
        return;
    second_level = count_second_level(climb, highest);
    one = climb->first_level[draw(climb, first_level)];
    do {
        if (second_level > 0 && draw(climb, 100) > 25)
            other = second_level_at(climb, draw(climb, second_level));
        else
            other = climb->first_level[draw(climb, first_level)];
    } while (other == one && (first_level >= 2 || second_level >= 2));
    if (other == one)
        return;
    climb->swapped[0] = climb->position[one];
    climb->swapped[1] = climb->position[other];
    swap(climb, climb->swapped[0], climb->swapped[1]);
}
