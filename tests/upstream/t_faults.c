/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What UPSTREAM.md says is wrong with planners as they are shipped: their rules, written down as
 * they stand there, the smallest instance on which it shows, and that no smaller one has it: of
 * fewer buffers, with an earlier last end, with less bytes in all, in this order.  */
#include <config.h>

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/mt32.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"
#include "tests/upstream/recorded.h"

#define NONE SIZE_MAX

enum { MOST = 60 };

struct row {
    int64_t begin, end, size;
    bool gradient;
};

static bool meet(const struct row *a, const struct row *b)
{
    return a->begin < b->end && b->begin < a->end;
}

static bool overlap(const struct row *row, size_t n, const int64_t *offset)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            if (meet(&row[a], &row[b]) && offset[a] < offset[b] + row[b].size &&
                offset[b] < offset[a] + row[a].size)
                return true;
    return false;
}

/* --- every small instance --- */

typedef bool fault_in(const struct row *row, size_t n);

/* Rows within [0, last), up to so many bytes, gradients too; each is a number.  */
struct choices {
    int64_t last, size;
    bool gradients;
};

/* Row NUMBER, or false: there are not so many.  */
static bool choose(const struct choices *choices, size_t number, struct row *row)
{
    size_t kinds = choices->gradients ? 2 : 1, sizes = (size_t)choices->size;
    size_t times = number / kinds / sizes;

    *row = (struct row){.size = 1 + (int64_t)(number / kinds % sizes), .gradient = number % kinds};
    for (; row->begin < choices->last; row->begin++) {
        size_t ends = (size_t)(choices->last - row->begin);

        if (times < ends) {
            row->end = row->begin + 1 + (int64_t)times;
            return true;
        }
        times -= ends;
    }
    return false;
}

/* The next N rows in the order of their numbers; false after the last ones.  */
static bool next_rows(const struct choices *choices, size_t *number, struct row *row, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        if (choose(choices, ++number[i], &row[i]))
            return true;
        number[i] = 0;
        choose(choices, 0, &row[i]);
    }
    return false;
}

/* The fewest bytes in all of N rows with the fault; 0: none has it.  */
static int64_t fewest_bytes(fault_in *faulty, const struct choices *choices, size_t n)
{
    size_t number[MOST] = {0};
    struct row row[MOST];
    int64_t fewest = 0;

    for (size_t i = 0; i < n; i++)
        choose(choices, 0, &row[i]);
    do {
        int64_t bytes = 0;

        for (size_t i = 0; i < n; i++)
            bytes += row[i].size;
        if ((fewest == 0 || bytes < fewest) && faulty(row, n))
            fewest = bytes;
    } while (next_rows(choices, number, row, n));
    return fewest;
}

/* That ROW[0..n) has the fault, and nothing smaller that CHOICES has.  */
static void check_smallest(const char *what, fault_in *faulty, struct choices choices,
                           const struct row *row, size_t n)
{
    int64_t last = 0, bytes = 0;

    for (size_t i = 0; i < n; i++) {
        last = max64(last, row[i].end);
        bytes += row[i].size;
    }
    ok(faulty(row, n), "%s: the smallest instance has it", what);
    for (size_t fewer = 1; fewer < n; fewer++)
        is_int(fewest_bytes(faulty, &choices, fewer), 0, "%s: none of %zu buffers has", what,
               fewer);
    for (choices.last = 1; choices.last < last; choices.last++)
        is_int(fewest_bytes(faulty, &choices, n), 0, "%s: none that ends at %" PRId64, what,
               choices.last);
    is_int(fewest_bytes(faulty, &choices, n), bytes, "%s: none of less bytes", what);
}

/* --- NNTrainer, optimized_v2_planner.cpp, with gradients of weights --- */

/* The rows that are gradients, or are not; gradients by size, the largest first, the others by
 * begin and end.  */
static size_t sort_rows(const struct row *row, size_t n, bool gradients, size_t *order)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = count;

        if (row[i].gradient != gradients)
            continue;
        for (; at > 0; at--) {
            const struct row *other = &row[order[at - 1]];

            if (gradients ? other->size >= row[i].size
                          : other->begin < row[i].begin ||
                                (other->begin == row[i].begin && other->end <= row[i].end))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
        count++;
    }
    return count;
}

/* The other rows, on a stack.  Returns their peak.  */
static int64_t place_on_stack(const struct row *row, size_t n, int64_t *offset)
{
    size_t order[MOST], stack[MOST], depth = 0, count = sort_rows(row, n, false, order);
    int64_t peak = 0;

    for (size_t k = 0; k < count; k++) {
        size_t i = order[k], at;

        while (depth > 0 && row[stack[depth - 1]].end <= row[i].begin)
            depth--;
        for (at = depth; at > 0; at--)
            if (row[stack[at - 1]].end <= row[i].begin && row[stack[at - 1]].size == row[i].size)
                break;
        if (at > 0) {
            offset[i] = offset[stack[at - 1]];
            stack[at - 1] = i;
            continue;
        }
        offset[i] = depth > 0 ? offset[stack[depth - 1]] + row[stack[depth - 1]].size : 0;
        peak = max64(peak, offset[i] + row[i].size);
        stack[depth++] = i;
    }
    return peak;
}

/* Upstream's test, which misses a gradient that begins before the other one, or with it.  */
static bool seen_to_meet(const struct row *there, const struct row *row)
{
    return (there->begin < row->begin && row->end < there->end) ||
           (there->begin < row->begin && row->begin < there->end && there->end < row->end) ||
           (there->begin == row->begin && there->end == row->end);
}

static void nntrainer_v2(const struct row *row, size_t n, int64_t *offset)
{
    size_t order[MOST], slot[MOST], count = sort_rows(row, n, true, order), slots = 0;
    int64_t top = place_on_stack(row, n, offset), start[MOST];

    for (size_t k = 0; k < count; k++) {
        size_t s = 0;

        for (size_t j = 0; s < slots && j < k;) {
            bool refused = slot[j] == s && seen_to_meet(&row[order[j]], &row[order[k]]);

            s += refused;
            j = refused ? 0 : j + 1;
        }
        if (s == slots) {
            start[slots++] = top;
            top += row[order[k]].size;
        }
        slot[k] = s;
        offset[order[k]] = start[s];
    }
}

static bool nntrainer_overlaps(const struct row *row, size_t n)
{
    int64_t offset[MOST];

    nntrainer_v2(row, n, offset);
    return overlap(row, n, offset);
}

static void nntrainer(void)
{
    static const struct row smallest[] = {{0, 2, 1, true}, {0, 1, 1, true}};
    int64_t offset[2];

    nntrainer_v2(smallest, 2, offset);
    ok(offset[0] == 0 && offset[1] == 0, "NNTrainer v2 with gradients: both at 0");
    check_smallest("NNTrainer v2 with gradients", nntrainer_overlaps, (struct choices){3, 3, true},
                   smallest, 2);
}

/* --- Vela, hillclimb_allocation.py --- */

struct range {
    struct row row;
    int64_t urgency, address, end;
    size_t predecessor, turn, neighbour[MOST], neighbours;
};

struct vela {
    size_t n, order[MOST], best_order[MOST];
    struct range range[MOST], best[MOST];
    int64_t alignment, least, best_size, moves, last;
    bool mended; /* all that a failed move has written is taken back */
    struct mt32 random;
};

struct turns {
    size_t item[MOST], count;
};

static void add_turn(struct turns *turns, size_t turn)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns->item[i] == turn)
            return;
    turns->item[turns->count++] = turn;
}

static void walk_life(struct vela *vela, size_t i)
{
    struct range *range = &vela->range[i];
    bool met[MOST] = {false};

    for (int64_t t = range->row.begin; t < range->row.end; t++) {
        int64_t live = 0;

        for (size_t j = 0; j < vela->n; j++) {
            const struct row *other = &vela->range[j].row;

            if (t < other->begin || other->end <= t)
                continue;
            live += other->size;
            if (j != i && !met[j])
                range->neighbour[range->neighbours++] = j;
            met[j] = true;
        }
        range->urgency = max64(range->urgency, live);
    }
    vela->least = max64(vela->least, range->urgency);
}

static bool goes_before(const struct range *a, const struct range *b)
{
    int64_t life = a->row.end - a->row.begin, other = b->row.end - b->row.begin;

    if (a->urgency != b->urgency)
        return a->urgency > b->urgency;
    if (life != other)
        return life > other;
    return a->row.begin != b->row.begin ? a->row.begin < b->row.begin : a->row.size > b->row.size;
}

static void vela_begin(struct vela *vela, const struct row *row, size_t n, int64_t alignment,
                       bool mended)
{
    vela->n = n;
    vela->alignment = alignment;
    vela->mended = mended;
    vela->least = vela->moves = vela->last = 0;
    vela->best_size = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        vela->range[i].row = row[i];
        vela->range[i].urgency = 0;
        vela->range[i].neighbours = 0;
    }
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        walk_life(vela, i);
        for (; at > 0 && goes_before(&vela->range[i], &vela->range[vela->order[at - 1]]); at--)
            vela->order[at] = vela->order[at - 1];
        vela->order[at] = i;
    }
}

static void place(struct vela *vela, struct range *range)
{
    bool fits = false;

    range->address = 0;
    range->predecessor = NONE;
    while (!fits) {
        fits = true;
        for (size_t i = 0; i < range->neighbours; i++) {
            const struct range *other = &vela->range[range->neighbour[i]];

            if (other == range || other->address < 0 || other->end <= range->address ||
                other->address >= range->address + range->row.size)
                continue;
            fits = false;
            range->address = align_up(other->end, vela->alignment);
            range->predecessor = range->neighbour[i];
        }
    }
    range->end = range->address + range->row.size;
}

/* Ends when the plan is worse than the best one: the rest keeps end, predecessor and turn.  */
static int64_t place_all(struct vela *vela)
{
    int64_t size = 0;

    for (size_t i = 0; i < vela->n; i++)
        vela->range[i].address = -1;
    for (size_t turn = 0; turn < vela->n && size <= vela->best_size; turn++) {
        struct range *range = &vela->range[vela->order[turn]];

        place(vela, range);
        range->turn = turn;
        size = max64(size, range->end);
    }
    return size;
}

static void add_chain(const struct vela *vela, struct turns *turns, size_t i)
{
    for (; i != NONE; i = vela->range[i].predecessor)
        add_turn(turns, vela->range[i].turn);
}

static size_t pick(struct vela *vela, const struct turns *turns, size_t below)
{
    return turns->item[mt32_below(&vela->random, (uint32_t)below)];
}

static void swap(struct vela *vela, size_t turn, size_t other)
{
    size_t i = vela->order[turn];

    vela->order[turn] = vela->order[other];
    vela->order[other] = i;
}

static void swap_two_more(struct vela *vela, struct turns *turns, const struct turns *apart)
{
    size_t turn;

    for (size_t i = 0; i < apart->count; i++) {
        const struct range *range = &vela->range[vela->order[apart->item[i]]];

        for (size_t j = 0; j < range->neighbours; j++)
            add_turn(turns, vela->range[range->neighbour[j]].turn);
    }
    turn = pick(vela, turns, turns->count);
    swap(vela, turn, pick(vela, turns, turns->count));
}

static size_t highest(const struct vela *vela)
{
    size_t high = 0;

    for (size_t i = 1; i < vela->n; i++)
        if (vela->range[i].end > vela->range[high].end)
            high = i;
    return high;
}

static void vela_move(struct vela *vela)
{
    struct turns turns = {.count = 0}, apart = {.count = 0};
    size_t high = highest(vela), turn, other;
    const struct range *range = &vela->range[high];
    bool far;

    add_chain(vela, &turns, high);
    for (size_t i = 0; i < range->neighbours; i++)
        add_chain(vela, &turns, range->neighbour[i]);
    for (size_t i = 0; i < turns.count; i++)
        if (!meet(&vela->range[vela->order[turns.item[i]]].row, &range->row))
            add_turn(&apart, turns.item[i]);
    assert(turns.count > 1);
    far = mt32_below(&vela->random, 101) < 30 && apart.count > 0;
    turn = far ? pick(vela, &apart, apart.count) : pick(vela, &turns, turns.count);
    other = pick(vela, &turns, turns.count - 1);
    swap(vela, turn, other != turn ? other : turns.item[turns.count - 1]);
    if (vela->moves - vela->last > 50)
        swap_two_more(vela, &turns, &apart);
}

static void keep(struct vela *vela)
{
    memcpy(vela->best, vela->range, vela->n * sizeof *vela->range);
    memcpy(vela->best_order, vela->order, vela->n * sizeof *vela->order);
}

static void vela_search(struct vela *vela)
{
    vela->best_size = place_all(vela);
    keep(vela);
    if (vela->best_size > vela->least)
        mt32_seed_python(&vela->random, 1);
    for (; vela->best_size > vela->least && vela->moves - vela->last < 500; vela->moves++) {
        int64_t size;

        vela_move(vela);
        size = place_all(vela);
        if (size > vela->best_size) {
            memcpy(vela->order, vela->best_order, vela->n * sizeof *vela->order);
            if (vela->mended)
                memcpy(vela->range, vela->best, vela->n * sizeof *vela->range);
            continue;
        }
        if (size < vela->best_size)
            vela->last = vela->moves;
        vela->best_size = size;
        keep(vela);
    }
}

static bool same_addresses(const struct vela *a, const struct vela *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->best[i].address != b->best[i].address)
            return false;
    return true;
}

static bool vela_goes_astray(const struct row *row, size_t n)
{
    static struct vela shipped, mended;

    vela_begin(&shipped, row, n, 1, false);
    vela_search(&shipped);
    if (shipped.moves == 0)
        return false;
    vela_begin(&mended, row, n, 1, true);
    vela_search(&mended);
    return !same_addresses(&shipped, &mended);
}

/* --- on the recorded instances --- */

struct tally {
    int asked, equal, plans, lower, higher, overlaps;
};

static void ask_one(const struct instance *instance, const struct recorded_answer *answer,
                    struct tally *tally)
{
    static struct vela shipped, mended;
    struct row row[MOST];
    bool equal = true;

    for (size_t b = 0; b < instance->n; b++)
        row[b] = (struct row){instance->buffer[b].begin, instance->buffer[b].end,
                              instance->buffer[b].size, b % 2 == 1};
    vela_begin(&shipped, row, instance->n, instance->max_alignment, false);
    vela_search(&shipped);
    vela_begin(&mended, row, instance->n, instance->max_alignment, true);
    vela_search(&mended);
    for (size_t b = 0; b < instance->n; b++)
        equal = equal && shipped.best[b].address == answer->offset[b];
    tally->asked++;
    tally->equal += equal;
    tally->plans += !same_addresses(&shipped, &mended);
    tally->lower += mended.best_size < shipped.best_size;
    tally->higher += mended.best_size > shipped.best_size;
    tally->overlaps += nntrainer_overlaps(row, instance->n);
}

static void ask_recorded(struct tally *tally)
{
    struct recorded_programs programs = recorded_programs_read();
    const struct recorded_program *program = recorded_program(&programs, "vela-hill-climb");
    struct recorded_instances instances = recorded_instances_read();
    struct recorded_answers answers = recorded_answers_read(program);

    for (size_t i = 0; i < answers.count; i++) {
        const struct recorded_answer *answer = &answers.item[i];
        struct instance *instance;

        if (answer->instance[0] != 'r') /* MiniMalloc's, which are large */
            continue;
        instance = recorded_instance(&instances, answer->instance, program);
        if (instance != NULL)
            ask_one(instance, answer, tally);
        instance_free(instance);
    }
    recorded_answers_clear(&answers);
    recorded_instances_clear(&instances);
    recorded_programs_clear(&programs);
}

static void vela(void)
{
    static const struct row smallest[] = {
        {0, 1, 2, false}, {0, 2, 2, false}, {1, 3, 1, false}, {2, 3, 3, false}};
    static const int64_t shipped[] = {2, 0, 3, 0}, mended[] = {0, 2, 0, 1};
    static struct vela search;

    for (int right = 0; right < 2; right++) {
        vela_begin(&search, smallest, 4, 1, right);
        vela_search(&search);
        for (size_t i = 0; i < 4; i++)
            is_int(search.best[i].address, right ? mended[i] : shipped[i],
                   "Vela's hill climb, %s: buffer %zu", right ? "mended" : "as shipped", i);
    }
    check_smallest("Vela's hill climb", vela_goes_astray, (struct choices){3, 5, false}, smallest,
                   4);
}

int main(void)
{
    struct tally tally = {0};

    nntrainer();
    vela();
    ask_recorded(&tally);
    is_int(tally.asked, 200, "the recorded random instances");
    is_int(tally.equal, 200, "the rule is Vela's: its answers");
    is_int(tally.plans, 114, "other plans where a failed move leaves nothing behind");
    is_int(tally.lower, 2, "lower ones");
    is_int(tally.higher, 3, "higher ones");
    is_int(tally.overlaps, 177, "NNTrainer v2 with every other buffer a gradient: overlaps");
    return tap_done();
}
