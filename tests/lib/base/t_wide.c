/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums beyond 64 bits: by hand, and against the compiler's own type where it has one.  */
#include <config.h>

#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/base/wide.h"
#include "tests/support/tap.h"

static void by_hand(void)
{
    struct wide sum = wide_of(INT64_MAX);

    is_int(wide_clip(sum), INT64_MAX, "the largest number");
    sum = wide_add(sum, 1);
    is_int(wide_clip(sum), INT64_MAX, "one more is cut off");
    sum = wide_sub(sum, 2);
    is_int(wide_clip(sum), INT64_MAX - 1, "and is there when less is left");
    sum = wide_add(wide_add(sum, INT64_MAX), INT64_MAX);
    is_int(wide_clip(sum), INT64_MAX, "three times that");
    sum = wide_sub(wide_sub(wide_sub(sum, INT64_MAX), INT64_MAX), INT64_MAX);
    is_int(wide_clip(sum), -1, "and back below 0");
    is_int(wide_clip(wide_of(INT64_MIN)), INT64_MIN, "the least number");
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 both;

static int64_t draw(struct rng *rng)
{
    int64_t number = rng_range(rng, -INT64_MAX / 2, INT64_MAX / 2);

    switch (rng_range(rng, 0, 3)) {
    case 0:
        return number % 4;
    case 1:
        return number < 0 ? -INT64_MAX : INT64_MAX;
    default:
        return number * 2;
    }
}

static void by_compiler(void)
{
    struct rng *rng = rng_new(1);
    int wrong = 0;

    for (int turn = 0; turn < 100000; turn++) {
        int64_t first = draw(rng);
        struct wide sum = wide_of(first);
        both plain = first;

        for (int i = 0; i < 6; i++) {
            int64_t number = draw(rng);

            sum = i % 2 == 0 ? wide_add(sum, number) : wide_sub(sum, number);
            plain = i % 2 == 0 ? plain + number : plain - number;
            if (plain >= INT64_MIN)
                wrong += wide_clip(sum) != (plain > INT64_MAX ? INT64_MAX : (int64_t)plain);
            wrong += sum.high != (int64_t)(plain >> 64) || sum.low != (uint64_t)plain;
        }
    }
    is_int(wrong, 0, "random sums as the compiler has them");
    rng_free(rng);
}
#endif

int main(void)
{
    by_hand();
#ifdef __SIZEOF_INT128__
    by_compiler();
#else
    tap_skip(1, "the compiler has no wider type");
#endif
    return tap_done();
}
