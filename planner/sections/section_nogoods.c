/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_nogoods.h"

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/sections/section_state.h"

void section_nogood_add(struct section_nogood *nogood, size_t buffer, int64_t least)
{
    nogood->literal =
        memory_grow(nogood->literal, &nogood->room, nogood->n + 1, sizeof *nogood->literal);
    nogood->literal[nogood->n++] = (struct section_literal){buffer, least};
}

void section_nogoods_init(struct section_nogoods *nogoods, size_t most)
{
    *nogoods = (struct section_nogoods){
        .ring = memory_zalloc(most, sizeof *nogoods->ring),
        .most = most,
        .capacity = INT64_MAX,
    };
}

void section_nogoods_clear(struct section_nogoods *nogoods)
{
    for (size_t i = 0; i < nogoods->most; i++)
        memory_free(nogoods->ring[i].literal);
    memory_free(nogoods->ring);
    *nogoods = (struct section_nogoods){0};
}

void section_nogoods_begin(struct section_nogoods *nogoods, int64_t capacity)
{
    if (capacity <= nogoods->capacity)
        return;
    nogoods->n = nogoods->next = 0;
    nogoods->capacity = INT64_MAX;
}

/* NOGOOD refutes STATE, and what is kept of it, COPY, does so too and speaks of unplaced buffers
 * alone.  */
static void check_nogood(const struct section_nogood *nogood, const struct section_nogood *copy,
                         const struct section_state *state)
{
    for (size_t i = 0; i < nogood->n; i++) {
        const struct section_literal *literal = &nogood->literal[i];

        CHECK(state->start[literal->buffer] >= literal->least, "section nogoods",
              "a nogood refutes the state that it comes from");
    }
    for (size_t i = 0; i < copy->n; i++) {
        const struct section_literal *literal = &copy->literal[i];

        CHECK(!state->placed[literal->buffer], "section nogoods",
              "what is kept speaks of unplaced buffers");
        CHECK(state->start[literal->buffer] >= literal->least, "section nogoods",
              "what is kept refutes the state, too");
    }
}

void section_nogoods_add(struct section_nogoods *nogoods, const struct section_state *state,
                         const struct section_nogood *nogood)
{
    struct section_nogood *copy;

    if (nogoods->most == 0)
        return;
    copy = &nogoods->ring[nogoods->next];
    nogoods->next = (nogoods->next + 1) % nogoods->most;
    if (nogoods->n < nogoods->most)
        nogoods->n++;
    nogoods->capacity = min64(nogoods->capacity, state->capacity);
    copy->n = 0;
    for (size_t i = 0; i < nogood->n; i++)
        if (!state->placed[nogood->literal[i].buffer])
            section_nogood_add(copy, nogood->literal[i].buffer, nogood->literal[i].least);
    if (copy->n == nogood->n) {
        CHECK_INVARIANT(check_nogood(nogood, copy, state));
        return;
    }
    for (size_t i = 0; i < nogood->n; i++) {
        size_t p = nogood->literal[i].buffer;

        if (!state->placed[p])
            continue;
        for (size_t k = 0; k < copy->n; k++)
            if (section_classes_meet(state->problem, p, copy->literal[k].buffer))
                copy->literal[k].least = max64(copy->literal[k].least, section_state_end(state, p));
    }
    CHECK_INVARIANT(check_nogood(nogood, copy, state));
}

/* The first literal that does not hold goes to the front: it is likely not to hold
 * the next time.  */
static bool holds(struct section_nogood *nogood, const struct section_state *state)
{
    for (size_t i = 0; i < nogood->n; i++) {
        struct section_literal literal = nogood->literal[i];

        if (state->start[literal.buffer] < literal.least) {
            nogood->literal[i] = nogood->literal[0];
            nogood->literal[0] = literal;
            return false;
        }
    }
    return true;
}

const struct section_nogood *section_nogoods_find(struct section_nogoods *nogoods,
                                                  const struct section_state *state)
{
    for (size_t i = 0; i < nogoods->n; i++)
        if (holds(&nogoods->ring[i], state))
            return &nogoods->ring[i];
    return NULL;
}
