/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep over time.  The rectangles are in the order of their low ends, and a tree over that
 * order counts those that are alive.  These do not overlap one another, or it would have ended, so
 * that one which begins overlaps some of them exactly if it overlaps its next neighbour below or
 * above.  */
#include <config.h>

#include "lib/problem/overlaps.h"

#include "lib/base/memory.h"
#include "lib/base/sort.h"

struct sweep {
    const struct overlap_rectangle *rectangle;
    size_t leaves; /* a power of two */
    size_t *alive; /* below node V, whose children are 2 V and 2 V + 1 */
};

static int compare_lows(const void *a, const void *b)
{
    const struct overlap_rectangle *x = a, *y = b;

    return (x->low > y->low) - (x->low < y->low);
}

struct turn {
    int64_t time;
    size_t place; /* of the rectangle in the order of low ends */
    bool begins;
};

/* What ends at a step comes before what begins there.  */
static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    int order = (x->time > y->time) - (x->time < y->time);

    return order != 0 ? order : x->begins - y->begins;
}

static void count_in(struct sweep *sweep, size_t place, bool alive)
{
    for (size_t v = sweep->leaves + place; v > 0; v /= 2)
        sweep->alive[v] += alive ? 1 : SIZE_MAX;
}

/* The next place with a rectangle that is alive, below PLACE (SIDE 0) or above (SIDE 1); SIZE_MAX:
 * there is none.  */
static size_t neighbour(const struct sweep *sweep, size_t place, size_t side)
{
    size_t v = sweep->leaves + place, near = 1 - side;

    while (v > 1 && (v % 2 == side || sweep->alive[v ^ 1] == 0))
        v /= 2;
    if (v <= 1)
        return SIZE_MAX;
    for (v ^= 1; v < sweep->leaves;)
        v = sweep->alive[2 * v + near] > 0 ? 2 * v + near : 2 * v + side;
    return v - sweep->leaves;
}

/* The place of one that is alive and overlaps the one at PLACE; SIZE_MAX: there is none.  */
static size_t find(const struct sweep *sweep, size_t place)
{
    size_t below = neighbour(sweep, place, 0), above = neighbour(sweep, place, 1);

    if (below != SIZE_MAX && sweep->rectangle[below].high > sweep->rectangle[place].low)
        return below;
    if (above != SIZE_MAX && sweep->rectangle[above].low < sweep->rectangle[place].high)
        return above;
    return SIZE_MAX;
}

static struct turn *turns_of(const struct overlap_rectangle *rectangle, size_t count)
{
    struct turn *turn = memory_alloc(2 * count, sizeof *turn);

    for (size_t r = 0; r < count; r++) {
        turn[2 * r] = (struct turn){rectangle[r].begin, r, true};
        turn[2 * r + 1] = (struct turn){rectangle[r].end, r, false};
    }
    sort_stable(turn, 2 * count, sizeof *turn, compare_turns);
    return turn;
}

bool overlaps_find(struct overlap_rectangle *rectangle, size_t count, size_t *a, size_t *b)
{
    struct sweep sweep = {rectangle, 1, NULL};
    struct turn *turn;
    size_t found = SIZE_MAX;

    sort_stable(rectangle, count, sizeof *rectangle, compare_lows);
    while (sweep.leaves < count)
        sweep.leaves *= 2;
    sweep.alive = memory_zalloc(2 * sweep.leaves, sizeof *sweep.alive);
    turn = turns_of(rectangle, count);
    for (size_t i = 0; i < 2 * count && found == SIZE_MAX; i++) {
        size_t place = turn[i].place;

        if (turn[i].begins) {
            found = find(&sweep, place);
            *a = rectangle[place].owner;
        }
        count_in(&sweep, place, turn[i].begins);
    }
    if (found != SIZE_MAX)
        *b = rectangle[found].owner;
    memory_free(turn);
    memory_free(sweep.alive);
    return found != SIZE_MAX;
}
