/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections against their definition: all sets of lifetimes that share a step pairwise and are
 * in no larger such set, found by trying every set.  */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/rng.h"
#include "lib/place/sections.h"
#include "tests/support/tap.h"

enum { MOST = 9 };

static bool overlap(const struct sections_span *a, const struct sections_span *b)
{
    return a->begin < b->end && b->begin < a->end;
}

/* Whether each two of SET, a bit mask, overlap.  */
static bool is_clique(const struct sections_span *span, size_t n, unsigned set)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if ((set >> i & 1) != 0 && (set >> k & 1) != 0 && !overlap(&span[i], &span[k]))
                return false;
    return true;
}

static bool is_maximal(const struct sections_span *span, size_t n, unsigned set)
{
    for (size_t i = 0; i < n; i++)
        if ((set >> i & 1) == 0 && is_clique(span, n, set | 1U << i))
            return false;
    return true;
}

/* The last begin of SET: a step that all of it share.  */
static int64_t step_of(const struct sections_span *span, size_t n, unsigned set)
{
    int64_t step = INT64_MIN;

    for (size_t i = 0; i < n; i++)
        if ((set >> i & 1) != 0 && span[i].begin > step)
            step = span[i].begin;
    return step;
}

/* The maximal sets, by time; returns their number.  No two have the same last begin.  */
static size_t plain_sections(const struct sections_span *span, size_t n, unsigned *set)
{
    size_t count = 0;

    for (unsigned s = 1; s < 1U << n; s++) {
        size_t k = count;

        if (!is_clique(span, n, s) || !is_maximal(span, n, s))
            continue;
        for (; k > 0 && step_of(span, n, set[k - 1]) > step_of(span, n, s); k--)
            set[k] = set[k - 1];
        set[k] = s;
        count++;
    }
    return count;
}

/* The members that first and last say section S has.  */
static unsigned members_of(const struct sections_span *span, size_t n, size_t s)
{
    unsigned set = 0;

    for (size_t i = 0; i < n; i++)
        if (span[i].first <= s && s <= span[i].last)
            set |= 1U << i;
    return set;
}

/* Whether MEMBER[0..COUNT) is SET, each once, by begin and index.  */
static bool is_listed(const struct sections_span *span, const size_t *member, size_t count,
                      unsigned set)
{
    for (size_t i = 0; i < count; i++) {
        if ((set >> member[i] & 1) == 0)
            return false;
        set &= ~(1U << member[i]);
        if (i > 0 &&
            (span[member[i - 1]].begin > span[member[i]].begin ||
             (span[member[i - 1]].begin == span[member[i]].begin && member[i - 1] > member[i])))
            return false;
    }
    return set == 0;
}

static void against_definition(void)
{
    struct rng *rng = rng_new(17);
    int rounds = tap_tier(1000, 5000), found = 0, listed = 0, several = 0;

    for (int round = 0; round < rounds; round++) {
        struct sections_span span[MOST];
        size_t n = (size_t)rng_range(rng, 1, MOST), count, *member, *start;
        unsigned set[1U << MOST];
        bool same;

        for (size_t i = 0; i < n; i++) {
            int64_t begin = rng_range(rng, -4, 5);

            span[i] = (struct sections_span){.begin = begin, .end = rng_range(rng, begin + 1, 7)};
        }
        count = sections_find(span, n);
        start = sections_list(span, n, count, &member);
        same = count == plain_sections(span, n, set);
        for (size_t s = 0; s < count && same; s++)
            same = members_of(span, n, s) == set[s];
        found += same;
        for (size_t s = 0; s < count && same; s++)
            same = is_listed(span, member + start[s], start[s + 1] - start[s], set[s]);
        listed += same;
        several += count > 2;
        free(start);
        free(member);
    }
    is_int(found, rounds, "the sections are the maximal sets, in the order of time");
    is_int(listed, rounds, "their members are listed by begin");
    ok(several > rounds / 4, "%d have more than two", several);
    rng_free(rng);
}

static void none(void)
{
    size_t *member, *start;

    is_int((int64_t)sections_find(NULL, 0), 0, "nothing has no sections");
    start = sections_list(NULL, 0, 0, &member);
    is_int((int64_t)start[0], 0, "and no members");
    free(start);
    free(member);
}

int main(void)
{
    against_definition();
    none();
    return tap_done();
}
