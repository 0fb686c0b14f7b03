/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offsets packed and unpacked: what went in comes out, it takes less room, and no damage does more
 * than being refused.  */
#include <config.h>

#include "harness/store/offsets.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/deflate.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* How many bytes the N offsets take beside a base, if there is one; 0 when others come out of
 * these.  */
static size_t there_and_back(const int64_t *offset, const int64_t *base, size_t n)
{
    size_t size, unpacked = 0;
    uint8_t *bytes = offsets_pack(offset, base, n, &size);
    int64_t *back = offsets_unpack(bytes, size, base, n, &unpacked);
    const bool same =
        back != NULL && unpacked == n && (n == 0 || memcmp(back, offset, n * sizeof *offset) == 0);

    free(back);
    free(bytes);
    return same ? size : 0;
}

static void by_hand(void)
{
    static const int64_t none[1] = {0}, zero[] = {0}, units[] = {0, 128, 64, 0, 128},
                         ends[] = {INT64_MAX, INT64_MIN, -1, 0, 1},
                         falls[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1},
                         stack[] = {0, 20000, 40001, 60003, 80006};
    /* 5, unit 64, one byte a value.  */
    static const uint8_t head[] = {5, 64, 1}, body[] = {0, 0, 0, 3, 3, 0, 2, 1};
    size_t size, length;
    uint8_t *bytes = offsets_pack(units, NULL, 5, &size), out[8];

    ok(there_and_back(none, NULL, 0) > 0, "no offset");
    ok(there_and_back(zero, NULL, 1) > 0, "one that is 0");
    ok(there_and_back(units, NULL, 5) > 0, "some with a unit");
    ok(there_and_back(ends, NULL, 5) > 0, "the ends of what there is");
    ok(there_and_back(falls, NULL, 3) > 0, "with differences beyond them");
    ok(there_and_back(stack, NULL, 5) > 0, "a stack");
    ok(memcmp(bytes, head, sizeof head) == 0 &&
           inflate_bytes(bytes + 3, size - 3, out, sizeof out, &length) && length == sizeof body &&
           memcmp(out, body, sizeof body) == 0,
       "the bytes are those that the header file and the manual page describe");
    free(bytes);
    bytes = offsets_pack(stack, NULL, 5, &size);
    is_int(bytes[2], 16 + 2, "differences are kept where they take fewer bytes");
    free(bytes);
}

/* What is as in the base is said to be.  */
static void with_base(void)
{
    static const int64_t units[] = {0, 128, 64, 0, 128}, base[] = {0, 128, 0, 0, 7};
    static const uint8_t head[] = {5, 64, 1}, body[] = {128, 128, 0, 128, 3, 1};
    size_t size, length, n;
    uint8_t *bytes = offsets_pack(units, base, 5, &size), out[6];
    int64_t *other = memory_zalloc(1000, sizeof *other);

    ok(memcmp(bytes, head, sizeof head) == 0 &&
           inflate_bytes(bytes + 3, size - 3, out, sizeof out, &length) && length == sizeof body &&
           memcmp(out, body, sizeof body) == 0,
       "the bytes are those that the header file and the manual page describe");
    ok(offsets_unpack(bytes, size, NULL, 0, &n) == NULL, "without the base: refused");
    ok(offsets_unpack(bytes, size, base, 4, &n) == NULL, "with a shorter one, too");
    free(bytes);
    for (int64_t i = 0; i < 1000; i++)
        other[i] = i * i * 7919 % 1000003;
    ok(there_and_back(other, NULL, 1000) > 1000, "a thousand offsets alone");
    ok(there_and_back(other, other, 1000) < 40, "take few bytes beside the same");
    free(other);
}

static void at_random(void)
{
    struct rng *rng = rng_new(1);
    int64_t offset[300], base[300] = {0};
    int wrong = 0;

    for (int turn = 0; turn < tap_tier(300, 3000); turn++) {
        const size_t n = (size_t)rng_range(rng, 0, 300);
        const int64_t most = INT64_C(1) << rng_range(rng, 0, 62), unit = rng_range(rng, 1, 64);

        for (size_t i = 0; i < n; i++)
            offset[i] = i > 0 && rng_range(rng, 0, 1) == 0
                            ? offset[rng_range(rng, 0, (int64_t)i - 1)]
                            : rng_range(rng, 0, most) / unit * unit;
        wrong += there_and_back(offset, NULL, n) == 0 || there_and_back(offset, base, n) == 0;
        for (size_t i = 0; i < n; i++)
            base[i] = rng_range(rng, 0, 2) == 0 ? base[i] : offset[i];
    }
    is_int(wrong, 0, "any others");
    rng_free(rng);
}

/* What plans of long chains take, in bits an offset: raw they are 64.  */
static void of_plans(void)
{
    static const struct {
        const char *solver, *label;
        size_t most;
    } plans[] = {
        {"tflm", "chain:n=20000,length=62,high=1000000", 14},
        {"xla-temporal", "chain:n=20000,length=62,high=1000000", 14},
        {"naive", "chain:n=20000,length=62,high=1000000", 22},
        {"greedy-by-size", "chain:n=20000,length=62,sizes=heavy,high=1000000", 9},
        {"tflm", "chained:of=tight,n=20000", 1},
    };

    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct instance *instance = instance_of(plans[i].label);
        struct plan *plan = solver_plan(plans[i].solver, instance, 1);
        const size_t size = there_and_back(plan->offset, NULL, plan->n);

        ok(size > 0 && 8 * size <= plans[i].most * plan->n, "%s on %s: %.2f bits an offset",
           plans[i].solver, plans[i].label, 8.0 * (double)size / (double)plan->n);
        plan_free(plan);
        instance_free(instance);
    }
}

/* BYTES are refused, whatever the head says.  */
static bool refused(const uint8_t *bytes, size_t size)
{
    size_t n;
    int64_t *offset = offsets_unpack(bytes, size, NULL, 0, &n);

    free(offset);
    return offset == NULL;
}

/* A head before the stream of a body.  */
static bool refused_body(const char *head, size_t head_size, const char *body, size_t body_size)
{
    size_t size;
    uint8_t *bytes = deflate_bytes((const uint8_t *)body, body_size, head_size, &size);
    bool no;

    memcpy(bytes, head, head_size);
    no = refused(bytes, size);
    free(bytes);
    return no;
}

static void damaged(void)
{
    static const int64_t offset[] = {0, 4096, 1234, 0, 77, 4096, 1234, 99999};
    const size_t n = sizeof offset / sizeof offset[0];
    size_t size, wrong = 0;
    uint8_t *bytes = offsets_pack(offset, NULL, n, &size);

    for (size_t cut = 0; cut < size; cut++)
        wrong += !refused(bytes, cut);
    is_int((int64_t)wrong, 0, "what is cut off is refused");
    /* The stream has a checksum, but there are bits that say nothing.  */
    for (size_t at = 3; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            int64_t *back;
            size_t unpacked;

            bytes[at] ^= (uint8_t)(1 << bit);
            back = offsets_unpack(bytes, size, NULL, 0, &unpacked);
            wrong += back != NULL && (unpacked != n || memcmp(back, offset, sizeof offset) != 0);
            free(back);
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    is_int((int64_t)wrong, 0, "and what a bit of the stream makes other offsets");
    free(bytes);
#define BODY(head, body) refused_body(head, sizeof head - 1, body, sizeof body - 1)
    ok(!BODY("\2\1\1", "\0\0\1\2"), "a head and its body");
    ok(BODY("\3\1\1", "\0\0\1\2"), "one more");
    ok(BODY("\1\1\1", "\0\0\1\2"), "one less");
    ok(BODY("\2\1\1", "\0\0\1"), "a value less");
    ok(BODY("\2\1\1", "\0\0\1\2\3"), "a value more");
    ok(BODY("\2\1\1", "\0\2\1"), "as one before the first");
    ok(BODY("\2\1\1", "\0\200\1"), "as in a base that there is not");
    ok(BODY("\2\0\1", "\0\0\1\2"), "a unit of 0");
    ok(BODY("\2\1\11", "\0\0"
                       "123456789123456789"),
       "values of nine bytes");
    ok(BODY("\2\1\41", "\0\0\1\2"), "a kind that there is not");
    ok(BODY("\1\377\377\377\377\377\377\377\377\377\1\1", "\0\2"), "a product beyond 64 bits");
    ok(BODY("\1\377\377\377\377\377\377\377\377\377\3\1", "\0\1"), "a number beyond 64 bits");
    ok(BODY("\1\200\200\200\200\200\200\200\200\200\200\1\1", "\0\1"), "a number without an end");
    ok(BODY("\200\200\200\200\200\200\200\200\20\1\1", "\0\1"),
       "more offsets than any file holds: no memory is asked for them");
}

int main(void)
{
    by_hand();
    with_base();
    at_random();
    of_plans();
    damaged();
    return tap_done();
}
