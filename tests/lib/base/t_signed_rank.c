/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wilcoxon's test against published critical values, against all signs tried one by
 * one, and against values worked out by hand.  */
#include <config.h>

#include "lib/base/gsl_signed_rank.h"

#include <math.h>
#include <stdbool.h>

#include "lib/base/rng.h"
#include "tests/support/tap.h"

static bool near(double got, double want, double within)
{
    if (fabs(got - want) <= within)
        return true;
    tap_diag("got %.17g, want %.17g", got, want);
    return false;
}

static void by_hand(void)
{
    const double rising[] = {1, 2, 3, 4, 5, 6}, one[] = {3, -1, 2}, zeros[] = {0, 0};
    const double with_zero[] = {3, 0, -1, 2, 0}, tied[] = {1, 1, 1, -1}, pair[] = {2, 2, -1};

    ok(near(signed_rank_p(rising, 6), 2.0 / 64, 1e-15), "six to one side: 2 of 64");
    /* Ranks 3, -1, 2: the negative ones sum to 1; {} and {1} of 8 do no better.  */
    ok(near(signed_rank_p(one, 3), 2 * 2.0 / 8, 1e-15), "3, -1, 2: twice 2 of 8");
    ok(near(signed_rank_p(with_zero, 5), 2 * 2.0 / 8, 1e-15), "differences of 0 are left out");
    ok(near(signed_rank_p(zeros, 2), 1, 0), "nothing but zeros says nothing");
    /* Four ranks of 2.5: none or one of them negative, 5 of 16.  */
    ok(near(signed_rank_p(tied, 4), 2 * 5.0 / 16, 1e-15), "equal sizes");
    /* Ranks 2.5, 2.5, -1: {} and {1} of 8.  */
    ok(near(signed_rank_p(pair, 3), 2 * 2.0 / 8, 1e-15), "a mean rank between two");
}

/* The differences 1 to COUNT of which the negative ones sum to SUM.  */
static void signs_with_sum(double *difference, size_t count, size_t sum)
{
    for (size_t i = count; i > 0; i--) {
        const bool negative = i <= sum;

        difference[i - 1] = negative ? -(double)i : (double)i;
        sum -= negative ? i : 0;
    }
}

/* The largest sum of the smaller side that is significant at 5 % on two sides, as tables in
 * textbooks have it (McCornack, JASA 60, 1965).  */
static void published(void)
{
    static const struct {
        size_t count, sum;
    } table[] = {{6, 0},   {7, 2},   {8, 3},   {9, 5},   {10, 8},  {11, 10},
                 {12, 13}, {13, 17}, {14, 21}, {15, 25}, {17, 34}, {18, 40},
                 {19, 46}, {20, 52}, {21, 58}, {23, 73}, {25, 89}, {50, 434}};
    double difference[SIGNED_RANK_COUNTED];

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double inside, outside;

        signs_with_sum(difference, table[i].count, table[i].sum);
        inside = signed_rank_p(difference, table[i].count);
        signs_with_sum(difference, table[i].count, table[i].sum + 1);
        outside = signed_rank_p(difference, table[i].count);
        ok(inside <= 0.05 && outside > 0.05, "n = %zu: %zu is the critical value (%.4f, %.4f)",
           table[i].count, table[i].sum, inside, outside);
    }
}

/* Twice the mean rank of difference I among the absolute values.  */
static int64_t plain_rank(const double *difference, int count, int i)
{
    int64_t rank = 1;

    for (int j = 0; j < count; j++)
        rank += 2 * (fabs(difference[j]) < fabs(difference[i])) +
                (fabs(difference[j]) == fabs(difference[i]));
    return rank;
}

static double every_sign(const double *difference, int count)
{
    int64_t total = 0, negative = 0, least, ways = 0;

    for (int i = 0; i < count; i++) {
        total += plain_rank(difference, count, i);
        negative += difference[i] < 0 ? plain_rank(difference, count, i) : 0;
    }
    least = negative < total - negative ? negative : total - negative;
    for (int signs = 0; signs < 1 << count; signs++) {
        int64_t sum = 0;

        for (int i = 0; i < count; i++)
            sum += (signs >> i & 1) != 0 ? plain_rank(difference, count, i) : 0;
        ways += sum <= least;
    }
    return fmin(1.0, 2.0 * (double)ways / (double)(1 << count));
}

static void exhaustive(void)
{
    struct rng *rng = rng_new(5);
    int wrong = 0;

    for (int trial = 0; trial < 300; trial++) {
        double difference[10];
        const int count = (int)rng_range(rng, 1, 10);

        for (int i = 0; i < count; i++)
            difference[i] = (double)(rng_range(rng, 1, 6) * (rng_range(rng, 0, 1) == 0 ? -1 : 1));
        wrong +=
            !near(signed_rank_p(difference, (size_t)count), every_sign(difference, count), 1e-12);
    }
    ok(wrong == 0, "300 small samples with ties: all signs tried give the same");
    rng_free(rng);
}

/* The largest counted sample and the next, with the same mean and nearly the same signs: the
 * approximation goes on where counting ends.  And by hand: ranks 1 to 100, the negative ones sum
 * to 2,000; mean 2525, variance 100 x 101 x 201 / 24, z = -524.5 / 290.84.  */
static void approximated(void)
{
    double difference[400];
    const double want = erfc(524.5 / sqrt(100.0 * 101 * 201 / 24) / sqrt(2));

    signs_with_sum(difference, 100, 2000);
    ok(near(signed_rank_p(difference, 100), want, 1e-12), "beyond 50: the normal distribution");
    for (int i = 0; i < 100; i++)
        difference[i] = i < 60 ? 7 : -7;
    /* All ranks 50.5: z = (40 - 50 + 0.5 / 50.5) x 50.5 / (50.5 x 5).  */
    ok(near(signed_rank_p(difference, 100), erfc((10 - 0.5 / 50.5) / 5 / sqrt(2)), 1e-12),
       "... with the variance of tied ranks");
    for (int i = 0; i < 100; i++)
        difference[i] = i % 2 == 0 ? 7 : -7;
    ok(near(signed_rank_p(difference, 100), 1, 0), "... and no more than 1");
    signs_with_sum(difference, 50, 434);
    ok(near(signed_rank_p(difference, 50), erfc(203.0 / sqrt(50.0 * 51 * 101 / 24) / sqrt(2)),
            1e-3),
       "... close to what is counted at 50");
}

int main(void)
{
    by_hand();
    published();
    exhaustive();
    approximated();
    return tap_done();
}
