/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of networks that run on kernels of which some crash, hang or give other outputs each
 * time: each end is recorded, and the others are measured all the same.  */
#include <config.h>

#include <stdlib.h>

#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "tests/support/fake_kernel.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep_case.h"
#include "tests/support/tap.h"

/* Small images; the second network is the first with its concatenations in place; the last can't
 * be run.  */
static const char text[] =
    "name = \"tiny\"; title = \"Tiny\"; kind = \"run\"; time_limit_s = 3; budget_s = 1;\n"
    "rounds = 6; all_pairs = false; solvers = (\"naive\", \"greedy-by-size\");\n"
    "kernels = (\"mgemm\", \"im2col-openblas\", \"onednn\", \"libxsmm\", \"xnnpack\", \"none\");\n"
    "quick: { workloads = (\"squeezenet1_1:size=32\",\n"
    "    \"squeezenet1_1:size=32,alias=on,inplace=nnc,concat=place\",\n"
    "    \"squeezenet1_1:size=32,dtype=i8\"); };\n";

/* What it adds depends on where its output lies, which no plan may change.  */
static void wrong(const struct conv_plan *plan, const float *input, const float *packed,
                  float *output)
{
    fake_kernel_run(plan, input, packed, output);
    output[0] += (float)((uintptr_t)output % 65521);
}

static const struct conv_kernel fake[] = {
    FAKE_KERNEL("right", fake_kernel_run), FAKE_KERNEL("crash", fake_kernel_crash),
    FAKE_KERNEL("hang", fake_kernel_hang), FAKE_KERNEL("wrong", wrong)};
static const struct conv_kernel_entry entry[] = {
    {&fake[0], "1"}, {&fake[1], "1"}, {&fake[2], "1"}, {&fake[3], "1"}};

/* The experiment with its libraries replaced by the kernels above.  */
static struct experiment *make_experiment(void)
{
    struct experiment *experiment = sweep_case_read(text);

    if (experiment == NULL)
        return NULL;
    experiment->set[EXPERIMENT_QUICK].runs.isa = ISA_GENERIC;
    for (size_t i = 0; i < 4; i++) {
        struct experiment_kernel *kernel = &experiment->set[EXPERIMENT_QUICK].runs.kernel[1 + i];

        free(kernel->name);
        kernel->entry = &entry[i];
        kernel->name = memory_strdup(fake[i].name);
    }
    return experiment;
}

static void ends(const char *dir)
{
    is_stored(dir,
              "select x.kernels, t.outcome, count(*) from task t join execution x on x.task = t.id "
              "where t.outcome <> 'skipped' group by 1, 2 order by 1, 2",
              "crash|crashed|2;hang|timeout|2;mgemm|measured|4;none|measured|2;right|measured|2;"
              "wrong|invalid|2;",
              "every end is recorded, on both networks, and takes no other task along");
    is_stored(dir, "select distinct substr(reason, 1, 10) from task where outcome = 'crashed'",
              "killed by ;", "what the crash was");
    is_stored(dir, "select distinct reason from task where outcome = 'timeout'",
              "killed at the time limit;", "why the hanging one was given up");
    is_stored(
        dir, "select count(*) from task where outcome = 'invalid' and reason like '%differs from%'",
        "2;", "which output was another one");
    is_stored(dir,
              "select count(*) from task where outcome = 'skipped' and reason like '27 of 64 "
              "operators cannot be run: Conv (26), GlobalAveragePool (1)%'",
              "7;", "a network with operators that nobody has is left out");
}

static void rows_of_runs(const char *dir)
{
    is_stored(dir,
              "select count(*), min(length(round_s)), max(length(round_s)) from execution x join "
              "task t on t.id = x.task where t.outcome = 'measured'",
              "8|48|48;", "every round of what was measured is kept");
    is_stored(dir,
              "select count(*) from execution x join task t on t.id = x.task where t.outcome = "
              "'measured' and x.rounds = 6 and x.low_s <= t.time_s and t.time_s <= x.high_s and "
              "x.same_as_plain and x.arena_bytes > 0 and x.operators = 64 and x.on_kernel + "
              "x.other_convolutions = iif(x.kernels = 'none', 0, 26)",
              "8;", "with what it took");
    is_stored(dir, "select sum(x.on_kernel) from execution x where x.kernels = 'none'", "0;",
              "without a kernel nothing is on one");
    is_stored(dir,
              "select count(*) from execution x join task t on t.id = x.task where t.outcome = "
              "'invalid' and x.same_as_plain = 0 and x.rounds = 6",
              "2;", "a wrong one is timed, and marked");
    is_stored(dir,
              "select count(*) from execution x join task t on t.id = x.task where t.outcome in "
              "('skipped', 'crashed', 'timeout') and coalesce(x.arena_bytes, x.low_s, "
              "x.same_as_plain, t.time_s) is null",
              "11;", "what was not timed has no figures");
    is_stored(
        dir,
        "select sum(a.arena_bytes > b.arena_bytes), sum(a.copied_bytes > b.copied_bytes), count(*) "
        "from (select x.*, t.contestant, w.params from execution x join task t on t.id = x.task  "
        "join workload w on w.id = t.workload where t.outcome = 'measured') a join (select x.*, "
        "t.contestant, w.params from execution x join task t on t.id = x.task  join workload w on "
        "w.id = t.workload where t.outcome = 'measured') b on a.contestant = b.contestant and "
        "a.kernels = b.kernels and a.params not like '%place%' and b.params like '%place%'",
        "4|4|4;", "concatenations in place save memory and copies");
    is_stored(dir, "select count(*) from workload where w is null", "0;",
              "the bounds of the networks are there for whom they concern");
    is_stored(dir, "select count(*) from plan", "0;", "no row of a planner's run");
}

int main(void)
{
    char *dir = scratch_new();

    is_int(sweep_case_run(make_experiment(), dir, "A"), 0,
           "a sweep with a crash, a hang and outputs that differ");
    ends(dir);
    rows_of_runs(dir);
    is_int(sweep_case_run(make_experiment(), dir, "A"), 21, "the next sweep has nothing to do");
    scratch_remove(dir);
    return tap_done();
}
