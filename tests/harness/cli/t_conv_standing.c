/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which differences between kernels the rounds of a layer bear out, by hand.  */
#include <config.h>

#include "harness/cli/conv_standing.h"

#include <string.h>

#include "tests/support/tap.h"

/* Of six rounds the interval goes from the least to the greatest.  */
static double fast[] = {1, 2, 3, 4, 5, 6}, near[] = {6, 7, 8, 9, 10, 11};
static double slow[] = {7, 8, 9, 10, 11, 12};

static struct conv_result of(double *round, double median)
{
    return (struct conv_result){.time_s = median, .round = round};
}

/* Whether the reason has WORD in it.  */
static bool has(const struct conv_kernel *kernel, const struct conv_result *above, double effective,
                const char *word)
{
    return strstr(conv_share_reason(kernel, above, 1.2, effective), word) != NULL;
}

static void reasons(void)
{
    static const char *const fewer[] = {"onednn-winograd", "onednn-auto"};
    const struct conv_kernel plain = {.name = "plain"};
    struct conv_result above = {.disturbed = 0};

    ok(conv_share_reason(&plain, &above, 0.99, 0.9) == NULL, "below the peak nothing is said");
    ok(has(&plain, &above, 0.9, "padding"), "padding");
    ok(has(&plain, &above, 1.1, "clock"), "the clock");
    ok(has(&plain, &above, 1.8, "wider vectors"), "more than a clock can do");
    above.disturbed = 3;
    ok(has(&plain, &above, 1.1, "disturbed"), "a disturbed probe");
    for (size_t i = 0; i < 2; i++) {
        const struct conv_kernel *kernel = conv_kernel_find(fewer[i]);

        if (kernel == NULL)
            tap_skip(1, "oneDNN is not built in");
        else
            ok(has(kernel, &above, 1.1, "multiplies less") &&
                   has(kernel, &above, 0.9, "multiplies less"),
               "%s multiplies less, whatever disturbed the probe", fewer[i]);
    }
}

int main(void)
{
    const struct conv_kernel plain = {.name = "plain"};
    const struct conv_kernel fewer = {.name = "fewer", .multiplies_less = true};
    const struct conv_contestant direct[] = {
        {.kernel = &plain}, {.kernel = &plain}, {.kernel = &plain}, {.kernel = &plain}};
    const struct conv_contestant mixed[] = {
        {.kernel = &plain}, {.kernel = &fewer}, {.kernel = &plain}};
    const struct conv_contestant others[] = {{.kernel = &fewer}, {.kernel = &fewer}};
    const struct conv_result clear[] = {of(slow, 9.5), of(fast, 3.5)};
    const struct conv_result meeting[] = {of(fast, 3.5), of(near, 8.5), of(slow, 9.5), of(NULL, 0)};
    struct conv_standing standing[4];

    conv_standings(direct, clear, 2, 6, standing);
    ok(standing[1].known && standing[1].interval.low == 1 && standing[1].interval.high == 6,
       "an interval");
    is_text(standing[1].fastest, "alone", "an interval below all others");
    is_text(standing[0].fastest, "", "... and one above");
    conv_standings(direct, meeting, 4, 6, standing);
    is_text(standing[0].fastest, "tied", "the fastest, whose interval another meets");
    is_text(standing[1].fastest, "tied", "... which may be as fast");
    is_text(standing[2].fastest, "", "... and one that does not meet it");
    ok(!standing[3].known, "a kernel without rounds has none");
    conv_standings(direct, clear, 2, 5, standing);
    ok(!standing[1].known && standing[1].fastest[0] == '\0', "five rounds say nothing");
    conv_standings(direct, clear, 1, 6, standing);
    is_text(standing[0].fastest, "", "one kernel alone is not compared");

    conv_standings(mixed, clear, 2, 6, standing);
    is_text(standing[0].fastest, "", "beside one that multiplies less it is not compared either");
    is_text(standing[1].fastest, "", "... which is not compared with direct ones");
    ok(standing[1].known && standing[1].direct == 9.5 / 3.5,
       "... but how much it would give is said");
    conv_standings(mixed, (struct conv_result[]){of(near, 8.5), of(fast, 3.5), of(slow, 9.5)}, 3, 6,
                   standing);
    is_text(standing[0].fastest, "tied", "direct beside direct");
    is_text(standing[2].fastest, "tied", "... both");
    ok(standing[1].direct == 8.5 / 3.5 && standing[0].direct == 0, "beside the fastest of them");
    conv_standings(others, clear, 2, 6, standing);
    ok(standing[0].direct == 0 && standing[1].fastest[0] == '\0', "without a direct one nothing");

    reasons();
    return tap_done();
}
