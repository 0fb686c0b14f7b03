/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of kernels of which some crash, hang or are wrong: each end is recorded,
 * and the others are measured all the same.  */
#include <config.h>

#include <stdlib.h>

#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "tests/support/fake_kernel.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep_case.h"
#include "tests/support/tap.h"

/* MORE: further kernels.  */
#define TEXT(more)                                                                               \
    "name = \"tiny\"; title = \"Tiny\"; kind = \"conv\"; time_limit_s = 2; budget_s = 1;\n"      \
    "isas = (\"generic\"); rounds_most = 6; final_rounds = 6; final_best = 1;\n"                 \
    "kernels = (\"mgemm\", \"mgemm:co=4,wo=2\", \"im2col-openblas\", \"onednn\", \"libxsmm\",\n" \
    "           \"xnnpack\", \"onednn-auto\", \"onednn-winograd\"" more ");\n"                   \
    "quick: { layers = (\"c=4,h=5,w=5,k=4,r=3,s=3\", \"c=4,h=4,w=4,k=8,r=1,s=1\"); };\n"         \
    "full: { layers = (\"c=4,h=5,w=5,k=4,r=3,s=3\"); };\n"

static const char usual[] = TEXT(""),
                  extended[] = TEXT(", \"mgemm:co=8,wo=2\", \"mgemm:co=8,wo=1\"");

static void wrong(const struct conv_plan *plan, const float *input, const float *packed,
                  float *output)
{
    fake_kernel_run(plan, input, packed, output);
    output[0] += 1.0F;
}

/* Right, until it has run three times with mood=1: then its process ends, which
 * it shares with the other mood.  */
static const struct param moody_params[] = {
    {"mood", PARAM_INT, "0", NULL, 0, 1, "whether it crashes"},
    PARAM_END,
};

struct moody {
    bool bad;
    int runs;
};

static bool moody_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    struct moody *moody = memory_zalloc(1, sizeof *moody);

    moody->bad = params_int(params, "mood") == 1;
    plan->state = moody;
    return fake_kernel_plan(plan, params, error);
}

static void moody_clear(struct conv_plan *plan)
{
    free(plan->state);
}

static void moody_run(const struct conv_plan *plan, const float *input, const float *packed,
                      float *output)
{
    struct moody *moody = plan->state;

    if (moody->bad && ++moody->runs > 3)
        abort();
    fake_kernel_run(plan, input, packed, output);
}

static const struct conv_kernel moody = {
    .name = "moody",
    .title = "t",
    .source = "t",
    .params = moody_params,
    .isas = 1U << ISA_GENERIC,
    .library = true,
    .tolerance = 1.0,
    .plan = moody_plan,
    .clear = moody_clear,
    .pack = fake_kernel_pack,
    .run = moody_run,
};
static const struct conv_kernel_entry moody_entry = {&moody, "1"};

static const struct conv_kernel fake[] = {
    FAKE_KERNEL("right", fake_kernel_run), FAKE_KERNEL("crash", fake_kernel_crash),
    FAKE_KERNEL("hang", fake_kernel_hang), FAKE_KERNEL("wrong", wrong)};
static const struct conv_kernel_entry entry[] = {
    {&fake[0], "1"}, {&fake[1], "1"}, {&fake[2], "1"}, {&fake[3], "1"}};

static void replace(struct experiment_kernel *kernel, const struct conv_kernel_entry *by,
                    const char *params)
{
    free(kernel->name);
    free(kernel->params);
    kernel->entry = by;
    kernel->name = memory_strdup(by->kernel->name);
    kernel->params = memory_strdup(params);
}

/* The experiment with its libraries replaced by the kernels above.  */
static struct experiment *make_experiment(const char *text)
{
    struct experiment *experiment = sweep_case_read(text);
    struct experiment_kernel *kernel;

    if (experiment == NULL)
        return NULL;
    kernel = experiment->set[EXPERIMENT_QUICK].layers.kernel;
    for (size_t i = 0; i < 4; i++)
        replace(&kernel[2 + i], &entry[i], "");
    replace(&kernel[6], &moody_entry, "mood=1");
    replace(&kernel[7], &moody_entry, "mood=0");
    return experiment;
}

/* How many tasks in DIR a sweep that tries again what failed has to do.  */
static int64_t retried(const char *dir)
{
    struct sweep sweep;
    int64_t count = -1;

    if (sweep_case_begin(&sweep, make_experiment(usual), dir, "B", true))
        count = (int64_t)(sweep.n_tasks - sweep_done_here(&sweep, 0));
    sweep_case_end(&sweep);
    return count;
}

int main(void)
{
    char *dir = scratch_new();

    is_int(sweep_case_run(make_experiment(usual), dir, "A"), 0,
           "a sweep with a crash, a hang and a wrong result");
    is_stored(dir, "select contestant, outcome, count(*) from task group by 1, 2 order by 1, 2",
              "crash|crashed|2;hang|timeout|2;mgemm|measured|4;moody|crashed|2;moody|measured|2;"
              "right|measured|2;wrong|invalid|2;",
              "every end is recorded, on both layers, and a crash takes no other plan along");
    is_stored(dir, "select distinct reason from task where outcome = 'timeout'",
              "hung: no answer in 2 s;", "why it was given up");
    is_stored(dir,
              "select count(*) from task where outcome = 'crashed' and reason like 'crashed: %'",
              "4;", "what the crash was");
    is_stored(dir,
              "select count(*), min(length(turn_s)), max(length(turn_s)) from conv c"
              " join task t on t.id = c.task where t.outcome = 'measured'",
              "8|48|48;", "every turn of what was measured is kept");
    is_stored(dir, "select count(*) from conv where final_s > 0 and final_rounds = 6", "4;",
              "mgemm played its finals");
    is_stored(dir, "select count(*) from layer_use", "2;", "the layers' uses");
    is_int(sweep_case_run(make_experiment(usual), dir, "B"), 16,
           "the next sweep has nothing to do");
    is_stored(dir, "select count(*) from sweep", "1;",
              "and leaves no trace, on whatever machine it is");
    is_int(retried(dir), 8,
           "but with all that crashed, hung or was wrong, where that is asked for");
    is_int(sweep_case_run(make_experiment(extended), dir, "B"), 16,
           "one with two more settings, on another machine");
    is_stored(dir,
              "select s.machine, count(*), sum(c.final_s is not null) from task t join sweep s on"
              " s.id = t.sweep join conv c on c.task = t.id group by 1",
              "1|16|4;2|4|2;",
              "each row has its machine, and mgemm's choice and best setting a final");
    is_stored(dir,
              "select count(*) from task t join conv c on c.task = t.id join task o join conv d"
              " on d.task = o.id where t.sweep = 2 and o.sweep = 2 and t.workload = o.workload"
              " and c.final_s is not null and d.final_s is null and o.time_s < t.time_s",
              "0;", "which was the faster of the two");
    is_stored(
        dir,
        "select count(*) from task t join sweep s on s.id = t.sweep join conv c on c.task = t.id"
        " join sweep f on f.id = c.final_sweep where f.machine <> s.machine",
        "0;", "no final was played by one machine with another's rows");
    is_stored(dir, "select sweep, count(*) > 8 from constant group by sweep", "1|1;2|1;",
              "each machine has its constants");
    scratch_remove(dir);
    return tap_done();
}
