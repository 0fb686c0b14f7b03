/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helpers that everything stands on: checked arithmetic, growing memory,
 * random numbers, disjoint pieces, UTF-8.  */
#include <config.h>

#include "lib/base/checked.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/rng.h"
#include "lib/base/utf8.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "tests/support/tap.h"

static void arithmetic(void)
{
    int64_t result = 7, list[] = {3, INT64_MIN, 0, INT64_MAX, -3, 0};

    ok(checked_add(INT64_MAX - 1, 1, &result) && result == INT64_MAX, "the largest sum");
    ok(!checked_add(INT64_MAX, 1, &result) && result == INT64_MAX, "one more is refused");
    ok(checked_sub(-1, INT64_MAX, &result) && result == INT64_MIN, "the least difference");
    ok(!checked_sub(-2, INT64_MAX, &result) && result == INT64_MIN, "one less is refused");
    ok(checked_mul(INT64_C(1) << 31, INT64_C(1) << 31, &result) && result == INT64_C(1) << 62,
       "a product");
    ok(!checked_mul(INT64_C(1) << 32, INT64_C(1) << 31, &result) && result == INT64_C(1) << 62,
       "a product that does not fit");
    ok(capped_add(2, 3) == 5 && capped_add(INT64_MAX, 1) == INT64_MAX && capped_mul(2, 3) == 6 &&
           capped_mul(INT64_C(1) << 32, INT64_C(1) << 31) == INT64_MAX,
       "figures end with the range");
    ok(align_up(0, 64) == 0 && align_up(1, 64) == 64 && align_up(64, 64) == 64 &&
           align_up(7, 3) == 9 && align_up(INT64_MAX, 1) == INT64_MAX,
       "rounding up to any alignment");
    ok(gcd64(12, 18) == 6 && gcd64(0, 5) == 5 && gcd64(5, 0) == 5 && gcd64(-12, 18) == 6,
       "greatest common divisors");
    qsort(list, 6, sizeof *list, compare64);
    ok(list[0] == INT64_MIN && list[1] == -3 && list[2] == 0 && list[4] == 3 &&
           list[5] == INT64_MAX,
       "sorting from end to end of the range");
}

static void memory(void)
{
    size_t capacity = 0, length;
    char *text;
    int *list = NULL;
    FILE *out;
    bool kept = true;

    for (size_t n = 0; n < 1000; n++) {
        list = memory_grow(list, &capacity, n + 1, sizeof *list);
        list[n] = (int)n;
    }
    for (size_t n = 0; n < 1000; n++)
        kept = kept && list[n] == (int)n;
    ok(kept && capacity >= 1000 && capacity < 4000, "a growing list keeps what it holds");
    free(list);
    list = memory_zalloc(0, sizeof *list);
    ok(list != NULL, "nothing is a block too");
    free(list);
    out = memory_stream(&text, &length);
    fprintf(out, "%d", 12345);
    memory_stream_close(out);
    ok(length == 5 && strcmp(text, "12345") == 0, "a stream into memory");
    free(text);
    text = memory_printf("%s-%d", "a", 7);
    is_text(text, "a-7", "a formatted text");
    free(text);
}

static void random_numbers(void)
{
    struct rng *one = rng_new(1), *again = rng_new(1), *other = rng_new(2);
    int64_t seen[6] = {0}, sorted[20], list[20];
    bool same = true, differs = false, inside = true;

    for (int i = 0; i < 100; i++) {
        int64_t a = rng_range(one, INT64_MIN, INT64_MAX);

        same = same && a == rng_range(again, INT64_MIN, INT64_MAX);
        differs = differs || a != rng_range(other, INT64_MIN, INT64_MAX);
    }
    ok(same && differs, "the seed decides");
    for (int i = 0; i < 6000; i++) {
        int64_t draw = rng_range(one, -3, 2);

        inside = inside && draw >= -3 && draw <= 2;
        seen[inside ? draw + 3 : 0]++;
    }
    ok(inside, "draws stay in their range");
    for (int i = 0; i < 6; i++)
        inside = inside && seen[i] > 800 && seen[i] < 1200;
    ok(inside, "and all values are about equally likely");
    is_int(rng_range(one, 5, 5), 5, "a range of one value");
    for (int64_t i = 0; i < 20; i++)
        list[i] = i;
    rng_shuffle(one, list, 20, sizeof *list);
    memcpy(sorted, list, sizeof sorted);
    qsort(sorted, 20, sizeof *sorted, compare64);
    for (int64_t i = 0; i < 20; i++)
        same = same && sorted[i] == i;
    differs = false;
    for (int64_t i = 0; i < 20; i++)
        differs = differs || list[i] != i;
    ok(same && differs, "a shuffle keeps all and moves some");
    rng_shuffle(one, list, 0, sizeof *list);
    rng_free(one);
    rng_free(again);
    rng_free(other);
    rng_free(NULL);
}

enum { STEPS = 8, BYTES = 8 };

/* Paints pieces onto a grid of steps x bytes; how often each cell is met.  */
static void paint(const struct piece *piece, size_t count, int grid[STEPS][BYTES])
{
    memset(grid, 0, sizeof(int) * STEPS * BYTES);
    for (size_t i = 0; i < count; i++)
        for (int64_t t = piece[i].begin; t < piece[i].end; t++)
            for (int64_t at = piece[i].lo; at < piece[i].hi; at++)
                grid[t][at]++;
}

static void disjoint_pieces(void)
{
    int agreed = 0, runs = tap_tier(500, 5000);
    struct rng *rng = rng_new(3);

    for (int run = 0; run < runs; run++) {
        int before[STEPS][BYTES], after[STEPS][BYTES];
        struct piece piece[5], *disjoint;
        size_t count = (size_t)rng_range(rng, 1, 5), written;
        bool good = true;

        for (size_t i = 0; i < count; i++) {
            int64_t begin = rng_range(rng, 0, STEPS - 1), lo = rng_range(rng, 0, BYTES - 1);

            piece[i] = (struct piece){begin, rng_range(rng, begin + 1, STEPS), lo,
                                      rng_range(rng, lo + 1, BYTES), true};
        }
        written = pieces_disjoint(piece, count, &disjoint);
        paint(piece, count, before);
        paint(disjoint, written, after);
        for (int t = 0; t < STEPS; t++)
            for (int at = 0; at < BYTES; at++)
                good = good && after[t][at] == (before[t][at] > 0);
        for (size_t i = 1; i < written; i++)
            good = good && (disjoint[i - 1].begin < disjoint[i].begin ||
                            (disjoint[i - 1].begin == disjoint[i].begin &&
                             disjoint[i - 1].hi < disjoint[i].lo));
        agreed += good;
        free(disjoint);
    }
    is_int(agreed, runs, "the same cells, each once and in order, for %d random shapes", runs);
    rng_free(rng);
}

/* The first and the last sequence of each length, and what is beside them.  */
static void sequences(void)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"\xC2\x80", 2},         {"\xDF\xBF", 2},         {"\xC1\xBF", 0},
        {"\xC2\x7F", 0},         {"\xC2\xC0", 0},         {"\x7F\x80", 0},
        {"\xE0\xA0\x80", 3},     {"\xEF\xBF\xBF", 3},     {"\xE0\x9F\xBF", 0},
        {"\xED\x9F\xBF", 3},     {"\xEE\x80\x80", 3},     {"\xED\xA0\x80", 0},
        {"\xED\xBF\xBF", 0},     {"\xF0\x90\x80\x80", 4}, {"\xF4\x8F\xBF\xBF", 4},
        {"\xF0\x8F\xBF\xBF", 0}, {"\xF4\x90\x80\x80", 0}, {"\xF5\x80\x80\x80", 0},
        {"\xE0\xA0\x7F", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned char *text = (const unsigned char *)cases[i].text;
        size_t length = cases[i].length, room = strlen(cases[i].text);

        is_int((int64_t)utf8_sequence(text, room), (int64_t)length, "UTF-8, %zu", i);
        is_int((int64_t)utf8_sequence(text, room - 1), 0, "and without its last byte");
    }
}

static void for_people(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80",
         "plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"},
        {"\033[31mred\033]0;title\a", "\\x1b[31mred\\x1b]0;title\\x07"},
        {"two\nlines\r\t\b", "two\\nlines\\r\\t\\x08"},
        {"\x7F", "\\x7f"},
        {"\xC2\x9B"
         "31m \xC2\x9F\xC2\xA0",
         "\\u009b31m \\u009f\xC2\xA0"},
        {"\xFF \xC3 \xE2\x82", "\\xff \\xc3 \\xe2\\x82"},
        {"\xE2\x80\xAE"
         "abc\xE2\x81\xA9 \xE2\x80\xA8 \xE2\x80\x8F \xD8\x9C",
         "\\u202eabc\\u2069 \\u2028 \\u200f \\u061c"},
        {"back\\slash", "back\\slash"},
        {"", ""},
    };
    char *text = NULL, *cut = people_text("a\033\xC3\xA4z");
    size_t length;
    FILE *out;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text = people_text(cases[i].text);
        is_text(text, cases[i].want, "a text for people, %zu", i);
        free(text);
    }
    is_int((int64_t)people_width(cut), 7, "its columns");
    people_cut(cut, 6);
    is_text(cut, "a\\x1b\xC3\xA4", "cut behind a character");
    people_cut(cut, 6);
    is_text(cut, "a\\x1b\xC3\xA4", "... and not where it fits");
    free(cut);
    out = memory_stream(&text, &length);
    people_print(out, "\n\n%s has %d%s\n", "\nname\n", 7, "\n");
    people_print(out, "%s", "\n");
    people_print(out, "\n");
    memory_stream_close(out);
    is_text(text, "\n\n\\nname\\n has 7\\n\n\\n\n",
            "the format's newlines stay, those of names do not");
    free(text);
}

static void units(void)
{
    static const struct {
        int64_t bytes;
        const char *name;
        double unit;
    } cases[] = {
        {0, "bytes", 1},
        {4095, "bytes", 1},
        {4096, "KiB", 0x1p10},
        {4 * 0x100000 - 1, "KiB", 0x1p10},
        {4 * 0x100000, "MiB", 0x1p20},
        {INT64_MAX, "GiB", 0x1p30},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct people_unit unit = people_unit(cases[i].bytes);

        is_text(unit.name, cases[i].name, "the unit of bytes, %zu", i);
        ok(unit.bytes == cases[i].unit, "... and its size");
    }
}

int main(void)
{
    arithmetic();
    memory();
    random_numbers();
    disjoint_pieces();
    sequences();
    for_people();
    units();
    return tap_done();
}
