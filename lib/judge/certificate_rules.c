/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a certificate say must follow from what is known: plain sums over the bytes
 * that are used at one step.  Each rule that knows up from down has the two as parameters: DOWN
 * looks at the arena from above, where bounds of -x take the place of those of x.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/judge/certificate_known.h"
#include "lib/judge/certificate_words.h"

/* A stretch of buffer B, seen from below or from above: there it is -HI to -LO.  */
struct task {
    size_t b;
    int64_t lo, hi;
};

static struct task seen(size_t b, int64_t lo, int64_t hi, bool down)
{
    return down ? (struct task){b, -hi, -lo} : (struct task){b, lo, hi};
}

/* Where x_b, or -x_b, begins at the earliest and at the latest.  */
static int64_t earliest(const struct certificate_known *known, size_t b, bool down)
{
    return down ? certificate_known_least(known, (int64_t)b, 0)
                : certificate_known_least(known, 0, (int64_t)b);
}

static int64_t latest(const struct certificate_known *known, size_t b, bool down)
{
    return -earliest(known, b, !down);
}

/* What is known of how far B is above A.  */
static int64_t ahead(const struct certificate_known *known, size_t a, size_t b, bool down)
{
    return down ? certificate_known_least(known, (int64_t)b, (int64_t)a)
                : certificate_known_least(known, (int64_t)a, (int64_t)b);
}

/* x_B - x_A, or x_A - x_B, is LEAST or more.  */
static void put_ahead(struct certificate_known *known, size_t a, size_t b, int64_t least, bool down)
{
    certificate_known_raise(known, (int64_t)(down ? b : a), (int64_t)(down ? a : b), least);
}

/* --- the bytes of a step --- */

/* What a sum is over: stretches at STEP without OWN, as seen.  */
struct sum {
    struct certificate_known *known;
    int64_t step;
    struct task own; /* b = 0: none */
    bool down;
    int64_t low, high;
};

/* Calls BYTES for each stretch, and adds up.  */
static int64_t add_up(const struct sum *sum,
                      int64_t (*bytes)(const struct sum *sum, const struct task *task))
{
    size_t count;
    const size_t *alive = certificate_known_alive(sum->known, sum->step, &count);
    int64_t total = 0;

    for (size_t i = 0; i < count; i++) {
        size_t b = alive[i];

        certificate_known_stretches(sum->known, b, sum->step);
        for (size_t k = 0; k < sum->known->stretches; k++) {
            const struct certificate_span *span = &sum->known->stretch[k];
            struct task task = seen(b, span->lo, span->hi, sum->down);
            struct task below = {b, task.lo, min64(task.hi, sum->own.lo)};
            struct task above = {b, max64(task.lo, sum->own.hi), task.hi};

            if (b != sum->own.b) {
                total += bytes(sum, &task);
                continue;
            }
            if (below.lo < below.hi)
                total += bytes(sum, &below);
            if (above.lo < above.hi)
                total += bytes(sum, &above);
        }
    }
    return total;
}

/* Those that lie between LOW and HIGH wherever the buffer is.  */
static int64_t bytes_within(const struct sum *sum, const struct task *task)
{
    int64_t lo = max64(task->lo, sum->low - earliest(sum->known, task->b, sum->down));
    int64_t hi = min64(task->hi, sum->high - latest(sum->known, task->b, sum->down));

    return max64(0, hi - lo);
}

/* Those that lie at LOW or above, if the stretch is known to be below the own one.  */
static int64_t bytes_below(const struct sum *sum, const struct task *task)
{
    int64_t lo = max64(task->lo, sum->low - earliest(sum->known, task->b, sum->down));
    int64_t distance =
        task->b == sum->own.b ? 0 : ahead(sum->known, task->b, sum->own.b, sum->down);

    return distance + sum->own.lo >= task->hi ? max64(0, task->hi - lo) : 0;
}

/* Those that lie below HIGH, if the stretch ends at LOW or above.  */
static int64_t bytes_in_the_way(const struct sum *sum, const struct task *task)
{
    int64_t hi = min64(task->hi, sum->high - latest(sum->known, task->b, sum->down));

    return earliest(sum->known, task->b, sum->down) + task->hi >= sum->low ? max64(0, hi - task->lo)
                                                                           : 0;
}

/* Whether K is a buffer that uses the bytes from LO to HI at STEP; they become TASK.  */
static bool find_task(struct certificate_known *known, int64_t step, const int64_t *number,
                      bool down, struct task *task)
{
    int64_t k = number[0], lo = number[1], hi = number[2];

    if (k <= 0 || !certificate_known_has(known, 0, k) || lo >= hi)
        return false;
    *task = seen((size_t)k, lo, hi, down);
    certificate_known_stretches(known, (size_t)k, step);
    for (size_t i = 0; i < known->stretches; i++)
        if (known->stretch[i].lo <= lo && hi <= known->stretch[i].hi)
            return true;
    return false;
}

static const char no_task[] = "expected buffers that use these bytes at this step";

/* --- rules --- */

static bool overload(struct certificate_known *known, const int64_t *number, struct error *error)
{
    const struct sum sum = {known, number[0], {0}, false, number[1], number[2]};

    if (sum.low > sum.high || add_up(&sum, bytes_within) <= sum.high - sum.low)
        return error_set(error, "what has to lie there is not more than there is room for");
    known->broken = true;
    return true;
}

/* Window and tasks are given as they are, whichever way is looked.  */
static struct sum window(struct certificate_known *known, const int64_t *number, bool down)
{
    struct sum sum = {known, number[0], {0}, down, number[1], number[2]};

    if (down) {
        sum.low = -number[2];
        sum.high = -number[1];
    }
    return sum;
}

/* OWN starts at LOW or above and OTHER lies between LOW and HIGH.  */
static bool above(struct certificate_known *known, const int64_t *number, bool down,
                  struct error *error)
{
    struct sum sum = window(known, number, down);
    struct task other;

    if (!find_task(known, sum.step, number + 3, down, &sum.own) ||
        !find_task(known, sum.step, number + 6, down, &other) ||
        !certificate_known_has(known, (int64_t)sum.own.b, (int64_t)other.b))
        return error_set(error, no_task);
    if (earliest(known, sum.own.b, down) + sum.own.lo < sum.low)
        return error_set(error, "the first buffer may lie outside");
    if (bytes_within(&sum, &other) < other.hi - other.lo)
        return error_set(error, "the second buffer may lie outside");
    if (add_up(&sum, bytes_within) + (sum.own.hi - sum.own.lo) <= sum.high - sum.low)
        return error_set(error, "there is room for both");
    put_ahead(known, other.b, sum.own.b, other.hi - sum.own.lo, down);
    return true;
}

static bool pile(struct certificate_known *known, const int64_t *number, bool down,
                 struct error *error)
{
    struct sum sum = {known, number[0], {0}, down, down ? -number[1] : number[1], 0};
    int64_t bytes;

    if (!find_task(known, sum.step, number + 2, down, &sum.own))
        return error_set(error, no_task);
    bytes = add_up(&sum, bytes_below);
    /* Without any, nothing says that it is above LOW itself.  */
    if (bytes == 0)
        return error_set(error, "nothing is known to lie there");
    put_ahead(known, 0, sum.own.b, sum.low + bytes - sum.own.lo, down);
    return true;
}

static bool not_low(struct certificate_known *known, const int64_t *number, bool down,
                    struct error *error)
{
    struct sum sum = window(known, number, down);
    int64_t end, bytes;

    if (!find_task(known, sum.step, number + 3, down, &sum.own))
        return error_set(error, no_task);
    end = earliest(known, sum.own.b, down) + sum.own.hi;
    bytes = add_up(&sum, bytes_in_the_way);
    /* Without any, it need not end below HIGH.  */
    if (bytes == 0 || end + bytes <= sum.high)
        return error_set(error, "it can lie below all of them");
    put_ahead(known, 0, sum.own.b, sum.low - sum.own.lo, down);
    return true;
}

static bool sum_of(struct certificate_known *known, const int64_t *number, struct error *error)
{
    int64_t a = number[0], b = number[1], c = number[2];

    if (!certificate_known_has(known, a, b) || !certificate_known_has(known, b, c) ||
        !certificate_known_has(known, a, c))
        return error_set(error, "expected three buffers that are alive together, or 0");
    certificate_known_raise(
        known, a, c, certificate_known_least(known, a, b) + certificate_known_least(known, b, c));
    return true;
}

static bool cycle(struct certificate_known *known, const int64_t *number, size_t count,
                  struct error *error)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t a = number[i], b = number[(i + 1) % count];

        if (!certificate_known_has(known, a, b))
            return error_set(error, "expected buffers of which each is alive with the next");
        if (!checked_add(sum, certificate_known_least(known, a, b), &sum))
            return error_set(error, "the sum is too large");
    }
    if (sum <= 0)
        return error_set(error, "the differences are not more than 0 together");
    known->broken = true;
    return true;
}

bool certificate_rule(struct certificate_known *known, enum certificate_word word,
                      const int64_t *number, size_t count, struct error *error)
{
    switch (word) {
    case CERTIFICATE_SUM:
        return sum_of(known, number, error);
    case CERTIFICATE_CYCLE:
        return cycle(known, number, count, error);
    case CERTIFICATE_OVERLOAD:
        return overload(known, number, error);
    case CERTIFICATE_ABOVE:
    case CERTIFICATE_BELOW:
        return above(known, number, word == CERTIFICATE_BELOW, error);
    case CERTIFICATE_PILE:
    case CERTIFICATE_HANG:
        return pile(known, number, word == CERTIFICATE_HANG, error);
    case CERTIFICATE_NOT_LOW:
    case CERTIFICATE_NOT_HIGH:
        return not_low(known, number, word == CERTIFICATE_NOT_HIGH, error);
    default:
        return error_set(error, "expected a rule");
    }
}
