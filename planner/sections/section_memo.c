/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_memo.h"

#include <string.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "planner/sections/section_state.h"

enum { FIRST_SLOTS = 1024 };

void section_memo_init(struct section_memo *memo, const struct section_state *state, size_t bytes)
{
    const struct section_problem *problem = state->problem;

    /* Tops take two words: capacities may need them.  */
    *memo = (struct section_memo){
        .key_words = (problem->n + 31) / 32 + 2 * problem->sections,
        .capacity = INT64_MAX,
    };
    memo->scratch = memory_alloc(memo->key_words, sizeof *memo->scratch);
    /* What an entry takes where size_t has 64 bits: as many are kept elsewhere, so plans are
     * the same.  */
    memo->most_entries = bytes / (memo->key_words * sizeof *memo->key + 4 * sizeof(uint64_t)) + 1;
}

void section_memo_clear(struct section_memo *memo)
{
    memory_free(memo->key);
    memory_free(memo->scratch);
    memory_free(memo->hash);
    memory_free(memo->slot);
    *memo = (struct section_memo){0};
}

static void forget(struct section_memo *memo)
{
    memory_free(memo->slot);
    memo->slot = NULL;
    memo->slots = memo->entries = 0;
    memo->capacity = INT64_MAX;
}

void section_memo_begin(struct section_memo *memo, int64_t capacity)
{
    if (capacity > memo->capacity)
        forget(memo);
}

/* Writes the key of STATE to the scratch.  */
static uint64_t make_key(struct section_memo *memo, const struct section_state *state)
{
    const struct section_problem *problem = state->problem;
    size_t words = (problem->n + 31) / 32;
    uint32_t *key = memo->scratch;
    uint64_t hash = UINT64_C(14695981039346656037);

    memset(key, 0, words * sizeof *key);
    for (size_t b = 0; b < problem->n; b++)
        if (state->placed[b])
            key[b / 32] |= UINT32_C(1) << (b % 32);
    for (size_t s = 0; s < problem->sections; s++) {
        uint64_t top = state->section[s].count > 0 ? (uint64_t)state->section[s].top : 0;

        key[words++] = (uint32_t)top;
        key[words++] = (uint32_t)(top >> 32);
    }
    for (size_t w = 0; w < words; w++) {
        hash = (hash ^ key[w]) * UINT64_C(1099511628211);
        hash ^= hash >> 31;
    }
    return hash;
}

/* The slot of the scratch key, or the free one where it belongs.  */
static size_t find_slot(const struct section_memo *memo, uint64_t hash)
{
    size_t at = (size_t)hash & (memo->slots - 1);

    for (; memo->slot[at] != 0; at = (at + 1) & (memo->slots - 1)) {
        size_t entry = memo->slot[at] - 1;

        if (memo->hash[entry] == hash && memcmp(memo->key + entry * memo->key_words, memo->scratch,
                                                memo->key_words * sizeof *memo->key) == 0)
            break;
    }
    return at;
}

/* Each entry is found where it was put, and the scratch is the last one.  */
static void check_memo(const struct section_memo *memo, const struct section_state *state)
{
    const uint32_t *key = memo->key + (memo->entries - 1) * memo->key_words;
    size_t used = 0;

    for (size_t b = 0; b < state->problem->n; b++)
        CHECK((key[b / 32] >> b % 32 & 1) == state->placed[b], "memo",
              "a key says which buffers are placed");
    if (!check_due(memo->entries, memo->entries + memo->slots))
        return;
    for (size_t i = 0; i < memo->slots; i++) {
        size_t entry = memo->slot[i] - 1;

        if (memo->slot[i] == 0)
            continue;
        CHECK(entry < memo->entries, "memo", "a slot holds an entry");
        used++;
        for (size_t at = memo->hash[entry] & (memo->slots - 1); at != i;
             at = (at + 1) & (memo->slots - 1))
            CHECK(memo->slot[at] != 0, "memo", "an entry is found from where its hash begins");
    }
    CHECK(used == memo->entries, "memo", "each entry has a slot");
}

bool section_memo_has(struct section_memo *memo, const struct section_state *state)
{
    uint64_t hash;

    if (memo->entries == 0)
        return false;
    hash = make_key(memo, state);
    return memo->slot[find_slot(memo, hash)] != 0;
}

static void grow_slots(struct section_memo *memo)
{
    memo->slots = memo->slots == 0 ? (size_t)FIRST_SLOTS : 2 * memo->slots;
    memory_free(memo->slot);
    memo->slot = memory_zalloc(memo->slots, sizeof *memo->slot);
    for (size_t e = 0; e < memo->entries; e++) {
        size_t at = (size_t)memo->hash[e] & (memo->slots - 1);

        while (memo->slot[at] != 0)
            at = (at + 1) & (memo->slots - 1);
        memo->slot[at] = e + 1;
    }
}

void section_memo_add(struct section_memo *memo, const struct section_state *state)
{
    uint64_t hash = make_key(memo, state);
    size_t at;

    if (memo->entries >= memo->most_entries)
        forget(memo);
    if (2 * memo->entries >= memo->slots)
        grow_slots(memo);
    at = find_slot(memo, hash);
    if (memo->slot[at] != 0)
        return;
    memo->key = memory_grow(memo->key, &memo->key_capacity, (memo->entries + 1) * memo->key_words,
                            sizeof *memo->key);
    memo->hash =
        memory_grow(memo->hash, &memo->hash_capacity, memo->entries + 1, sizeof *memo->hash);
    memcpy(memo->key + memo->entries * memo->key_words, memo->scratch,
           memo->key_words * sizeof *memo->key);
    memo->hash[memo->entries] = hash;
    memo->slot[at] = ++memo->entries;
    if (state->capacity < memo->capacity)
        memo->capacity = state->capacity;
    CHECK_INVARIANT(check_memo(memo, state));
}
