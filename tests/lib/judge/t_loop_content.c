/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What values hold, by hand: slices of a whole, stacks of slices, and a slice that is not there. */
#include <config.h>

#include "lib/judge/loop_content.h"

#include "tests/support/tap.h"

enum { TRIPS = 3, STRETCH = 2, CELLS = 12 };

static uint64_t word_of(const struct content *content, int64_t cell)
{
    uint64_t word = 0;

    ok(content_word(content, cell, &word), "a cell that holds something");
    return word;
}

int main(void)
{
    struct content_pool pool = {NULL, 0};
    const struct content *whole = content_made(&pool), *other = content_made(&pool);
    struct content *stack = content_stack(&pool, TRIPS, STRETCH);
    uint64_t word;

    ok(word_of(whole, 0) == word_of(whole, 0), "a cell holds what it holds");
    ok(word_of(whole, 0) != word_of(whole, 1), "no other cell does");
    ok(word_of(whole, 0) != word_of(other, 0), "nor what another operator made");
    ok(!content_word(stack, 0, &word), "an empty stack holds nothing");
    for (int64_t number = 0; number < TRIPS; number++) {
        const struct content *slice = content_slice(&pool, whole, TRIPS, number, STRETCH);

        /* Two blocks of three stretches of two cells.  */
        ok(word_of(slice, 3) == word_of(whole, TRIPS * STRETCH + number * STRETCH + 1),
           "slice %d has its stretch of each block", (int)number);
        content_put(stack, number, slice);
    }
    for (int64_t cell = 0; cell < CELLS; cell++)
        ok(word_of(stack, cell) == word_of(whole, cell), "all slices together are the whole");
    content_pool_clear(&pool);
    ok(pool.last == NULL, "they go all at once");
    content_pool_clear(&pool);
    return tap_done();
}
