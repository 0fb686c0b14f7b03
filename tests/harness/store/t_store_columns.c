/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every column of the store, written through C's rows and read back by its name: no two have
 * the same value, so columns that have changed places show.  The same for what the report's
 * views and the CSV files of experiments make of them.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/report/report.h"
#include "harness/store/facts.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/store/store_execution.h"
#include "harness/store/store_split.h"
#include "harness/sweep/sweep.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

static const struct store_workload workload = {
    .label = "label",
    .checksum = 0xabcdef,
    .kind = "layer",
    .name = "name",
    .params = "wparams",
    .n = 101,
    .pairs = 102,
    .load = 103,
    .width = 104,
    .max_size = 105,
    .total = 106,
    .w = 107,
    .width_bound = 108,
    .w1_bound = 109,
    .w2_bound = 110,
    .applicable = true,
    .w1_applicable = false,
    .reason = "wreason",
};

static const struct store_event events[] = {{"bound", 1.5, 2.5}, {"incumbent", 3.5, 4.5}};

static const struct store_statistic statistics[] = {{"conflicts", 51}, {"restarts", 0}};

static const int64_t offsets[] = {513, 2};

/* Of the planner and, with a row of conv, of the kernel.  */
static struct store_task task_of(const struct store_conv *conv)
{
    return (struct store_task){
        .key = conv == NULL ? "key" : "ckey",
        .kind = conv == NULL ? "plan" : "conv",
        .workload = 1,
        .contestant = "contestant",
        .params = "params",
        .contestant_checksum = "checksum",
        .seed = 11,
        .repetition = 12,
        .time_limit_s = 0.5,
        .memory_limit = 13,
        .work_limit = 14,
        .outcome = conv == NULL ? "feasible" : "measured",
        .reason = "reason",
        .timed = true,
        .time_s = 2.0,
        .cpu_s = 3.25,
        .verify_s = 4.25,
        .replay_s = 5.25,
        .harness_s = 6.25,
        .rss_bytes = 15,
        .layout = "arena",
        .replay = "bytes",
        .peak = 514,
        .lower_bound = 22,
        .nodes = 23,
        .objects = 24,
        .offset = offsets,
        .n = 2,
        .conv = conv,
        .event = events,
        .n_events = 2,
        .statistic = statistics,
        .n_statistics = conv == NULL ? 2 : 0,
    };
}

static const double seconds[] = {0.5, 2.0, -2.0};

static const struct store_conv kernel = {
    .isa = "avx2",
    .threads = 31,
    .role = "role",
    .rank = 32,
    .run_params = "rparams",
    .choice = {.co = 33,
               .wo = 34,
               .ci = 35,
               .wf = "wf",
               .hfil = "hfil",
               .rows = 36,
               .cco = 37,
               .order = "order",
               .cci = 38},
    .workspace_bytes = 39,
    .packed_bytes = 40,
    .pack_s = 0.125,
    .max_error = 0.25,
    .compared = 41,
    .rounds = 2,
    .turn_s = {seconds, 2},
    .turn_at_s = {seconds + 1, 2},
    .low_s = 1.125,
    .high_s = 1.25,
    .settled = true,
    .peak_flops = 7e9,
    .reference_s = 1.375,
    .model_m = 1.5,
    .model_exact = 1.625,
    .predicted_s = 1.75,
    .registers = 43,
    .spilled = 44,
    .chains = 45,
    .counted_m = 1.875,
};

/* All that can be missing is.  */
static const struct store_conv nothing = {
    .threads = 1,
    .workspace_bytes = STORE_NULL,
    .packed_bytes = STORE_NULL,
    .pack_s = NAN,
    .max_error = NAN,
    .low_s = NAN,
    .high_s = NAN,
    .peak_flops = NAN,
    .reference_s = NAN,
    .model_m = NAN,
    .model_exact = NAN,
    .predicted_s = NAN,
    .registers = STORE_NULL,
    .spilled = STORE_NULL,
    .chains = STORE_NULL,
    .counted_m = NAN,
};

static const struct store_execution execution = {
    .kernels = "kernels",
    .isa = "avx2",
    .threads = 81,
    .groups = true,
    .rounds = 3,
    .round_s = {seconds, 3},
    .low_s = 0.375,
    .high_s = 0.4375,
    .serial_s = 0.5625,
    .modelled_speed_up = 0.6875,
    .arena_bytes = 83,
    .own_bytes = 84,
    .stored_bytes = 85,
    .packed_bytes = 86,
    .scratch_bytes = 87,
    .workspace_bytes = 88,
    .resident_bytes = 89,
    .copied_bytes = 90,
    .operators = 91,
    .idle = 92,
    .on_kernel = 93,
    .other_convolutions = 94,
    .same_as_plain = 1,
};

/* Of the network that is run.  */
static struct store_task run_of(const char *key, const struct store_execution *row)
{
    struct store_task task = task_of(NULL);

    task.key = key;
    task.kind = "run";
    task.outcome = row == &execution ? "measured" : "skipped";
    task.execution = row;
    task.n_statistics = 0;
    task.n_events = 0;
    return task;
}

static const struct store_split split = {
    .memories = "smemories",
    .capacity = 95,
    .cost = 96.5,
    .lower_bound = 96.25,
    .flow_bound = 96.125,
    .outside = 0.03125,
};

/* Of several memories.  */
static struct store_task fit_of(void)
{
    struct store_task task = run_of("fkey", NULL);

    task.kind = "fit";
    task.outcome = "feasible";
    task.split = &split;
    return task;
}

static bool record(struct store *store, const struct store_task *task, const char *experiment,
                   struct error *error)
{
    const struct store_use use = {experiment, "quick", 61};

    return store_record_task(store, task, &use, experiment != NULL, error);
}

static void fill(struct store *store)
{
    static const struct store_pair pairs[] = {
        {"commit", "C"}, {"processor", "P"}, {"date", "D"}, {"version", "V"}};
    static const struct store_experiment experiment = {
        "ename", "quick", "etitle", "edescription", "efigures", true, 0.75, 71, 72, "echecksum"};
    static const struct store_layer_use layer_use = {1, "network", 62};
    static const struct store_constant vector = {"vector", 3.0};
    static const struct fact macs = {"macs", 1e9};
    const struct store_task plan = task_of(NULL), conv = task_of(&kernel);
    const struct store_task run = run_of("rkey", &execution), fit = fit_of();
    struct store_execution not_timed = store_execution_missing;
    const struct store_task left_out = run_of("okey", &not_timed);
    struct store_task missing = task_of(&nothing);
    const double turn[] = {8.5, 9.5};
    const struct store_final final = {2, turn, 2, 10.5, {11.5, 12.5}};
    struct error error = {""};
    int64_t id;

    missing.key = "missing";
    not_timed.kernels = "kernels";
    not_timed.isa = "avx2";
    not_timed.threads = 1;
    store_begin_sweep(store, pairs, 4);
    ok(store_put_workload(store, &workload, &id, &error) &&
           store_put_facts(store, id, &macs, 1, &error) &&
           store_put_constants(store, "avx2", &vector, 1, &error) &&
           store_put_experiment(store, &experiment, NULL, 0, &error) &&
           store_add_used(store, &(struct store_used){"ename", "quick", 0.625}, &error) &&
           store_put_layer_uses(store, "gap", "quick", &layer_use, 1, &error) &&
           record(store, &plan, "gap", &error) && record(store, &conv, "blocking", &error) &&
           record(store, &missing, NULL, &error) && record(store, &run, "run", &error) &&
           record(store, &left_out, NULL, &error) && record(store, &fit, "fit", &error) &&
           store_put_final(store, &final, 1, &error),
       "rows are written: %s", error.text);
}

static void tables(struct store *store)
{
    is_answer(
        store,
        "SELECT id, label, checksum, kind, name, params, n, pairs, load, width, max_size, total, "
        "w, width_bound, w1_bound, w2_bound, applicable, w1_applicable, reason FROM workload",
        "1|label|0000000000abcdef|layer|name|wparams|101|102|103|104|105|106|107|108|109|110|1|0|"
        "wreason;",
        "workload");
    is_answer(store,
              "SELECT id, key_checksum IS NOT NULL, kind, workload, contestant, params, "
              "contestant_checksum, seed, repetition, time_limit_s, memory_limit, work_limit, "
              "outcome, reason, timed, time_s, cpu_s, verify_s, replay_s, harness_s, rss_bytes, "
              "sweep, events, statistics FROM task WHERE id < 3",
              "1|1|plan|1|contestant|params|checksum|11|12|0.5|13|14|feasible|reason|1|2|3.25|4.25|"
              "5.25|6.25|15|1|2|2;2|1|conv|1|contestant|params|checksum|11|12|0.5|13|14|measured|"
              "reason|1|2|3.25|4.25|5.25|6.25|15|1|2|0;",
              "task");
    is_answer(store,
              "SELECT count(*) FROM task WHERE finished LIKE '2%-%T%:%Z' AND length(finished) = 20",
              "6;", "when it was finished");
    is_answer(store,
              "SELECT task, layout, peak, lower_bound, nodes, objects, replay, "
              "hex(offsets_unpack(offsets, base)), base FROM plan",
              "1|arena|514|22|23|24|bytes|01020000000000000200000000000000|;", "plan");
    is_answer(
        store,
        "SELECT task, isa, threads, role, rank, run_params, co, wo, ci, wf, hfil, tile_rows, cco, "
        "loop_order, cci, workspace_bytes, packed_bytes, pack_s, max_error, compared, rounds, "
        "hex(turn_s), hex(turn_at_s), low_s, high_s, settled, peak_flops, reference_s, model_m, "
        "model_exact, predicted_s, registers, spilled, chains, final_rounds, final_s, final_low_s, "
        "final_high_s, hex(final_turn_s), final_sweep, counted_m FROM conv WHERE task = 2",
        "2|avx2|31|role|32|rparams|33|34|35|wf|hfil|36|37|order|38|39|40|0.125|0.25|41|2|"
        "000000000000E03F0000000000000040|000000000000004000000000000000C0|1.125|1.25|1|7000000000|"
        "1.375|1.5|1.625|1.75|43|44|45|2|10.5|11.5|12.5|00000000000021400000000000002340|1|1.875;",
        "conv");
    is_answer(store,
              "SELECT coalesce(isa, role, rank, run_params, co, wo, ci, wf, hfil, tile_rows, cco, "
              "loop_order, cci, workspace_bytes, packed_bytes, pack_s, max_error, low_s, high_s, "
              "peak_flops, reference_s, model_m, model_exact, predicted_s, registers, spilled, "
              "chains, final_rounds, final_s, final_low_s, final_high_s, final_sweep, counted_m, "
              "turn_s, turn_at_s, final_turn_s, 'none') FROM conv WHERE task = 3",
              "none;", "conv without anything");
}

static void executions(struct store *store)
{
    is_answer(store,
              "SELECT t.kind, t.outcome, x.task, kernels, isa, threads, groups, rounds, "
              "hex(round_s), low_s, high_s, serial_s, modelled_speed_up, arena_bytes, own_bytes, "
              "stored_bytes, packed_bytes, scratch_bytes, workspace_bytes, resident_bytes, "
              "copied_bytes, operators, idle, on_kernel, other_convolutions, same_as_plain FROM "
              "execution x JOIN task t ON t.id = x.task WHERE x.task = 4",
              "run|measured|4|kernels|avx2|81|1|3|000000000000E03F000000000000004000000000000000C0|"
              "0.375|0.4375|0.5625|0.6875|83|84|85|86|87|88|89|90|91|92|93|94|1;",
              "execution");
    is_answer(store,
              "SELECT kernels, isa, threads, rounds, coalesce(round_s, low_s, high_s, serial_s, "
              "modelled_speed_up, arena_bytes, own_bytes, stored_bytes, packed_bytes, "
              "scratch_bytes, workspace_bytes, resident_bytes, copied_bytes, operators, idle, "
              "on_kernel, other_convolutions, same_as_plain, 'none') FROM execution WHERE task = 5",
              "kernels|avx2|1|0|none;", "execution of what was not timed");
}

static void small_tables(struct store *store)
{
    is_answer(store, "SELECT task, seq, name, at_s, value FROM measurement WHERE task < 3",
              "1|0|bound|1.5|2.5;1|1|incumbent|3.5|4.5;2|0|bound|1.5|2.5;2|1|incumbent|3.5|4.5;",
              "measurement");
    is_answer(store, "SELECT task, name, value FROM statistic", "1|conflicts|51;1|restarts|0;",
              "statistic");
    is_answer(store,
              "SELECT name, size, title, description, figures, timing, budget_s, used_s, tasks, "
              "skipped, tasks_checksum FROM experiment",
              "ename|quick|etitle|edescription|efigures|1|0.75|0.625|71|72|echecksum;",
              "experiment");
    is_answer(
        store, "SELECT experiment, size, seq, task FROM experiment_task ORDER BY experiment DESC",
        "run|quick|61|4;gap|quick|61|1;fit|quick|61|6;blocking|quick|61|2;", "experiment_task");
    is_answer(store, "SELECT experiment, size, workload, network, uses FROM layer_use",
              "gap|quick|1|network|62;", "layer_use");
    is_answer(store, "SELECT workload, name, value FROM fact", "1|macs|1000000000;", "fact");
    is_answer(store, "SELECT sweep, isa, name, value FROM constant", "1|avx2|vector|3;",
              "constant");
    is_answer(store, "SELECT id, key FROM build", "1|commit=C\nversion=V\n;", "build");
    is_answer(store, "SELECT id, key FROM machine", "1|processor=P\n;", "machine");
    is_answer(store, "SELECT id, build, machine, key FROM sweep", "1|1|1|date=D\n;", "sweep");
    is_answer(store, "SELECT kind, id, name, value FROM provenance WHERE kind = 'sweep'",
              "sweep|1|date|D;", "provenance");
}

/* The CSV file that a sweep writes from the store in DIR.  */
static void is_file(struct store *store, const char *dir, enum experiment_kind kind,
                    const char *want)
{
    static char name[][9] = {[EXPERIMENT_PLAN] = "gap",
                             [EXPERIMENT_CONV] = "blocking",
                             [EXPERIMENT_RUN] = "run",
                             [EXPERIMENT_FIT] = "fit"};
    struct experiment experiment = {.name = name[kind], .kind = kind};
    struct experiment *experiments[] = {&experiment};
    struct sweep sweep = {.options = {.output = dir, .size = EXPERIMENT_QUICK},
                          .store = store,
                          .experiment = experiments};
    char *path = memory_printf("%s/%s.csv", dir, experiment.name), *text = NULL;
    struct error error = {""};
    size_t length;
    bool done =
        sweep_write_csv(&sweep, 0, &error) && file_read(path, 1 << 20, &text, &length, &error);

    is_csv(done ? text : error.text, want, experiment.name);
    free(text);
    free(path);
}

static void csv_files(struct store *store, const char *dir)
{
    is_file(store, dir, EXPERIMENT_PLAN,
            "experiment,workload,kind,n,pairs,load,width,max_size,total,w,width_bound,w1_bound,w2_"
            "bound,applicable,contestant,params,layout,seed,repetition,outcome,peak,lower_bound,"
            "best_lower_bound,time_s,cpu_s,rss_bytes,nodes,replay,timed,reason\n"
            "gap,label,layer,101,102,103,104,105,106,107,108,109,110,1,contestant,params,arena,11,"
            "12,feasible,514,22,22,2,3.25,15,23,bytes,1,reason\n");
    is_file(store, dir, EXPERIMENT_CONV,
            "experiment,layer,shape,kernel,params,isa,threads,role,rank,outcome,gflops,peak_gflops,"
            "time_s,low_s,high_s,rounds,settled,reference_s,final_s,final_low_s,final_high_s,final_"
            "rounds,co,wo,ci,wf,hfil,rows,cco,order,workspace_bytes,packed_bytes,pack_s,max_error,"
            "model_m,model_exact,predicted_s,registers,spilled,chains,reason,cci,counted_m\n"
            "blocking,name,label,contestant,params,avx2,31,role,32,measured,1,7,2,1.125,1.25,2,1,1."
            "375,10.5,11.5,12.5,2,33,34,35,wf,hfil,36,37,order,39,40,0.125,0.25,1.5,1.625,1.75,43,"
            "44,45,reason,38,1.875\n");
    is_file(store, dir, EXPERIMENT_RUN,
            "experiment,network,planner,params,kernels,isa,threads,groups,seed,repetition,outcome,"
            "time_s,low_s,high_s,serial_s,modelled_speed_up,rounds,arena_bytes,own_bytes,stored_"
            "bytes,packed_bytes,scratch_bytes,workspace_bytes,resident_bytes,copied_bytes,"
            "operators,idle,on_kernel,other_convolutions,same_as_plain,reason\n"
            "run,label,contestant,params,kernels,avx2,81,1,11,12,measured,2,0.375,0.4375,0.5625,0."
            "6875,3,83,84,85,86,87,88,89,90,91,92,93,94,1,reason\n");
    is_file(store, dir, EXPERIMENT_FIT,
            "experiment,workload,n,load,planner,params,memories,capacity,repetition,outcome,cost,"
            "lower_bound,flow_bound,outside,time_s,cpu_s,rss_bytes,timed,reason\n"
            "fit,label,101,103,contestant,params,smemories,95,12,feasible,96.5,96.25,96.125,"
            "0.03125,2,3.25,15,1,reason\n");
}

static void views(const char *dir)
{
    struct error error = {""};
    struct report report;

    if (!ok(report_open(&report, dir, false, &error), "a report: %s", error.text))
        return;
    is_answer(report.store,
              "SELECT task, workload, checksum, contestant, solver, seed, repetition, "
              "time_limit_s, memory_limit, outcome, reason, timed, time_s, cpu_s, harness_s, "
              "rss_bytes, sweep, layout, peak, lower_bound, nodes FROM run",
              "1|1|0000000000abcdef|contestant:params|contestant|11|12|0.5|13|feasible|reason|1|2|"
              "3.25|6.25|15|1|arena|514|22|23;",
              "the view of planners");
    is_answer(report.store,
              "SELECT task, solver, workload_name, peak, statistic, value FROM statistic_result "
              "ORDER BY value",
              "1|contestant|name|514|restarts|0;1|contestant|name|514|conflicts|51;",
              "the view of statistics");
    is_answer(report.store,
              "SELECT task, workload, kernel, params, outcome, reason, time_limit_s, time_s, isa, "
              "instruction_set, sweep, final_sweep, threads, role, rank, co, wo, ci, wf, hfil, "
              "tile_rows, cco, loop_order, cci, workspace_bytes, packed_bytes, pack_s, max_error, "
              "rounds, low_s, high_s, settled, peak_flops, reference_s, model_m, model_exact, "
              "predicted_s, registers, spilled, chains, final_rounds, final_s, final_low_s, "
              "final_high_s, counted_m, vectors FROM conv_run",
              "2|1|contestant|params|measured|reason|0.5|2|avx2|avx2|1|1|31|role|32|33|34|35|wf|"
              "hfil|36|37|order|38|39|40|0.125|0.25|2|1.125|1.25|1|7000000000|1.375|1.5|1.625|1.75|"
              "43|44|45|2|10.5|11.5|12.5|1.875|11;",
              "the view of kernels");
    is_answer(report.store,
              "SELECT task, workload, contestant, planner, kernels, kernel, isa, threads, groups, "
              "group_count, seed, repetition, outcome, reason, time_limit_s, time_s, rounds, "
              "low_s, high_s, serial_s, modelled_speed_up, arena_bytes, own_bytes, stored_bytes, "
              "packed_bytes, scratch_bytes, workspace_bytes, paid_bytes, resident_bytes, "
              "copied_bytes, operators, idle, on_kernel, other_convolutions, same_as_plain, "
              "measured, network, setting FROM execution_run",
              "4|1|contestant:params|contestant|kernels|kernels × 81 "
              "groups|avx2|81|1|0|11|12|measured|reason|0.5|2|3|0.375|0.4375|0.5625|0.6875|83|84|"
              "85|86|87|88|258|89|90|91|92|93|94|1|1|name:wparams|plain;",
              "the view of networks that are run");
    is_answer(
        report.store,
        "SELECT name FROM (SELECT name FROM pragma_table_info('run') UNION ALL SELECT name FROM "
        "pragma_table_info('result') UNION ALL SELECT name FROM pragma_table_info('execution_run') "
        "UNION ALL SELECT name FROM pragma_table_info('conv_setting')) WHERE name LIKE '%:%'",
        "", "no name stands twice in a view");
    report_clear(&report);
}

int main(void)
{
    char *dir = scratch_new();
    struct store *store;

    store = opened(dir, true);
    fill(store);
    tables(store);
    executions(store);
    small_tables(store);
    csv_files(store, dir);
    store_close(store);
    views(dir);
    scratch_remove(dir);
    return tap_done();
}
