#include <config.h>

#include "planner/sections/section_latest.h"

#include <stdint.h>

#include "lib/base/checked.h"
#include "planner/sections/section_state.h"

/* The unplaced members of a section in two orders.  */
struct members {
    size_t n;
    size_t by_start[SECTION_LATEST_MOST]; /* descending */
    size_t by_end[SECTION_LATEST_MOST];   /* by latest end, ascending */
    int64_t most_end;                     /* the largest of start + total over the sets by start */
    int64_t excess;                       /* the largest of total - end over the sets by end */
};

static int64_t latest_end(const struct section_state *state, size_t b)
{
    return state->latest[b] + state->problem->size[b];
}

static void sort_by_start(const struct section_state *state, struct members *members,
                          const size_t *list)
{
    for (size_t i = 0; i < members->n; i++) {
        size_t b = list[i], k = i;

        for (; k > 0 && state->start[members->by_start[k - 1]] < state->start[b]; k--)
            members->by_start[k] = members->by_start[k - 1];
        members->by_start[k] = b;
    }
}

static void sort_by_end(const struct section_state *state, struct members *members,
                        const size_t *list)
{
    for (size_t i = 0; i < members->n; i++) {
        size_t b = list[i], k = i;

        for (; k > 0 && latest_end(state, members->by_end[k - 1]) > latest_end(state, b); k--)
            members->by_end[k] = members->by_end[k - 1];
        members->by_end[k] = b;
    }
}

/* What no rule on a member can exceed: most have nothing to look for.  */
static void find_most(const struct section_state *state, struct members *members)
{
    int64_t above = 0, below = 0;

    members->most_end = members->excess = INT64_MIN;
    for (size_t i = 0; i < members->n; i++) {
        size_t d = members->by_start[i];

        above += state->problem->size[d];
        members->most_end = max64(members->most_end, state->start[d] + above);
        d = members->by_end[i];
        below += state->problem->size[d];
        members->excess = max64(members->excess, below - latest_end(state, d));
    }
}

/* The one that follows place I of ORDER, but for B; B itself if there is none.  */
static size_t next_but(const struct members *members, const size_t *order, size_t i, size_t b)
{
    i += i + 1 < members->n && order[i + 1] == b ? 2 : 1;
    return i < members->n ? order[i] : b;
}

static bool fail(struct section_state *state, struct section_conflict conflict)
{
    state->conflict = conflict;
    return false;
}

/* Whether B still has a start.  */
static bool is_possible(struct section_state *state, size_t b)
{
    return state->start[b] <= state->latest[b] ||
           fail(state, (struct section_conflict){SIZE_MAX, b, SIZE_MAX, SIZE_MAX});
}

static bool overload(struct section_state *state, size_t s, const struct members *members)
{
    for (size_t i = 0; i < members->n; i++) {
        int64_t least = state->start[members->by_start[i]], total = 0;

        if (least + members->excess <= 0)
            break;
        for (size_t k = 0; k < members->n; k++) {
            size_t d = members->by_end[k];

            if (state->start[d] < least)
                continue;
            total += state->problem->size[d];
            if (least + total > latest_end(state, d))
                return fail(state, (struct section_conflict){s, SIZE_MAX, members->by_start[i], d});
        }
    }
    return true;
}

/* Lowers the latest start of B: below all, and not last.  */
static bool lower(struct section_state *state, size_t s, const struct members *members, size_t b)
{
    int64_t size = state->problem->size[b], total = 0, end = INT64_MIN, last = INT64_MIN;

    for (size_t i = 0; i < members->n; i++) {
        size_t k = members->by_start[i], next = next_but(members, members->by_start, i, b);
        int64_t own = latest_end(state, b), all;

        if (k == b)
            continue;
        total += state->problem->size[k];
        end = max64(end, latest_end(state, k));
        last = max64(last, state->latest[k]);
        /* Those of equal start come all together.  */
        if (next != b && state->start[next] == state->start[k])
            continue;
        all = state->start[k] + total + size;
        if (all > max64(end, own) && end - total - size < state->latest[b])
            section_state_lower(state, b, end - total - size, RULE_BELOW_ALL, s, k);
        else if (all > own && last - size < state->latest[b])
            section_state_lower(state, b, last - size, RULE_NOT_LAST, s, k);
    }
    return is_possible(state, b);
}

/* Raises the start of B: above all.  */
static bool raise(struct section_state *state, size_t s, const struct members *members, size_t b)
{
    int64_t size = state->problem->size[b], total = 0, least = INT64_MAX;

    for (size_t i = 0; i < members->n; i++) {
        size_t k = members->by_end[i], next = next_but(members, members->by_end, i, b);

        if (k == b)
            continue;
        total += state->problem->size[k];
        least = min64(least, state->start[k]);
        if (next != b && latest_end(state, next) == latest_end(state, k))
            continue;
        if (min64(least, state->start[b]) + total + size > latest_end(state, k) &&
            least + total > state->start[b])
            section_state_raise(state, b, least + total, RULE_ABOVE_ALL, s, k);
    }
    return is_possible(state, b);
}

/* Latest starts do not move while starts rise, and the other way round, so both orders
 * are right where they are used.  */
bool section_latest_apply(struct section_state *state, size_t s)
{
    const size_t *list = state->member + state->problem->start[s];
    struct members members = {.n = state->section[s].count};

    if (members.n > SECTION_LATEST_MOST)
        return true;
    for (size_t i = 0; i < members.n; i++)
        if (!is_possible(state, list[i]))
            return false;
    sort_by_start(state, &members, list);
    sort_by_end(state, &members, list);
    find_most(state, &members);
    if (!overload(state, s, &members))
        return false;
    for (size_t i = 0; i < members.n; i++)
        if (members.most_end > state->latest[list[i]] && !lower(state, s, &members, list[i]))
            return false;
    sort_by_end(state, &members, list);
    find_most(state, &members);
    for (size_t i = 0; i < members.n; i++)
        if (section_state_end(state, list[i]) + members.excess > 0 &&
            !raise(state, s, &members, list[i]))
            return false;
    return true;
}
