/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of one experiment that were timed on two machines: nothing of one is
 * compared with anything of the other, and each has its own constants.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/figure.h"
#include "harness/report/report.h"
#include "harness/store/facts.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "lib/base/memory.h"
#include "tests/support/figure_named.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

/* Settings of one layer, in the order of their places.  */
static const struct setting {
    int machine, wo; /* from 1 */
    double time_s, final_s, reference_s;
} settings[] = {
    {1, 2, 1.0, 1.1, 5.0}, {1, 3, 2.0, NAN, 5.0}, {1, 4, 4.0, NAN, 5.0},
    {2, 2, 0.2, 0.3, 1.0}, {2, 3, 0.1, 0.2, 1.0},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

static bool put_layer(struct store *store, int64_t *id, struct error *error)
{
    static const struct store_workload layer = {
        .label = "shape", .kind = "layer", .name = "layer", .params = ""};
    static const struct fact facts[] = {
        {"c", 16},        {"h", 8},           {"k", 16},           {"r", 3},
        {"s", 3},         {"stride", 1},      {"groups", 1},       {"macs", 1e9},
        {"tap_share", 1}, {"input_bytes", 1}, {"filter_bytes", 1}, {"output_bytes", 1}};

    return store_put_workload(store, &layer, id, error) &&
           store_put_facts(store, *id, facts, sizeof facts / sizeof facts[0], error);
}

static bool put_setting(struct store *store, size_t i, int64_t layer, struct error *error)
{
    const struct setting *s = &settings[i];
    const double turn[] = {s->time_s, s->time_s, s->time_s, s->time_s, s->time_s};
    const struct store_conv conv = {
        .isa = "avx2",
        .threads = 1,
        .role = "setting",
        .choice = {.co = 16, .wo = s->wo, .ci = 16, .wf = "reload", .hfil = "inside", .rows = 1},
        .rounds = 5,
        .turn_s = {turn, 5},
        .turn_at_s = {turn, 5},
        .low_s = s->time_s,
        .high_s = s->time_s,
        .peak_flops = 1e12,
        .reference_s = s->reference_s};
    char *key = memory_printf("conv %zu", i);
    const struct store_task task = {.key = key,
                                    .kind = "conv",
                                    .workload = layer,
                                    .contestant = "mgemm",
                                    .params = "",
                                    .contestant_checksum = "c",
                                    .outcome = "measured",
                                    .time_s = s->time_s,
                                    .conv = &conv};
    const struct store_use use = {"blocking", "quick", (int64_t)i};
    bool done = store_record_task(store, &task, &use, 1, error);

    if (done && !isnan(s->final_s))
        done = store_put_final(
            store,
            &(struct store_final){
                (int64_t)i + 1, &s->final_s, 1, s->final_s, {s->final_s, s->final_s}},
            1, error);
    free(key);
    return done;
}

/* The settings of the first MACHINES machines.  */
static bool fill(const char *dir, int machines, struct error *error)
{
    struct store *store = store_open(dir, true, error);
    int64_t layer;
    bool done = store != NULL && put_layer(store, &layer, error);

    for (int m = 1; done && m <= machines; m++) {
        const struct store_pair pair[] = {{"commit", "abc"}, {"processor", m == 1 ? "P1" : "P2"}};
        const struct store_constant constant[] = {{"vector", 8.0 * m}, {"read 8192", 1e9 * m}};

        store_begin_sweep(store, pair, 2);
        done = store_put_constants(store, "avx2", constant, 2, error) &&
               store_add_pair(store, "load during blocking", "0.04 processors of others", error) &&
               store_add_pair(store, "load during other",
                              m == 1 ? "0.09 processors of others" : "1.25 processors of others",
                              error);
        for (size_t i = 0; done && i < SETTINGS; i++)
            if (settings[i].machine == m)
                done = put_setting(store, i, layer, error);
    }
    store_close(store);
    return done;
}

static void caption(const struct report *report, const char *end)
{
    struct error error = {""};
    char *text = report_caption(report, figure_named(figure_registry, "blocking-roofline"),
                                "blocking", &error);
    const char *counts = text == NULL ? NULL : strstr(text, "1 layer, 5 runs; ");
    const char *dates = counts == NULL ? NULL : strstr(counts, "1 build, 2 machines, 20");

    if (ok(dates != NULL, "%s", text == NULL ? error.text : text))
        is_text(strchr(dates, '.'), end, "the caption says which machine is shown");
    free(text);
}

/* What is said of all experiments together.  */
static void warns(const struct report *report, const char *wanted, const char *what)
{
    struct report_origin origin;
    struct error error = {""};

    if (ok(report_provenance(report, "", &origin, &error), "%s: %s", what, error.text))
        is_text(origin.warning, wanted, "%s", what);
    report_origin_clear(&origin);
    if (ok(report_provenance(report, "blocking", &origin, &error), "%s: %s", what, error.text))
        ok(strstr(origin.warning, "loaded") == NULL, "%s: no figure repeats it", what);
    report_origin_clear(&origin);
}

static void two_machines(const struct report *report)
{
    warns(report,
          "Times of different machines do not compare. The machine was loaded: others used up to"
          " 1.25 processors on average while an experiment ran.",
          "a loaded machine");
    is_answer(report->store,
              "select isa, wo, vectors, printf('%.2f', loss), commit_id, processor"
              " from conv_setting order by seq",
              "avx2 on machine 1|2|2|0.00|abc|P1;avx2 on machine 1|3|2|1.00|abc|P1;"
              "avx2 on machine 1|4|2|3.00|abc|P1;avx2 on machine 2|2|1|1.00|abc|P2;"
              "avx2 on machine 2|3|1|0.00|abc|P2;",
              "losses to the best of the same machine, widths by its own vectors");
    is_answer(report->store,
              "select isa, printf('%.1f %.1f %.1f', best_s, final_s, reference_s) from conv_layer",
              "avx2 on machine 1|1.0 1.1 5.0;avx2 on machine 2|0.1 0.2 1.0;",
              "a layer is one for each of them");
    is_answer(report->store, "select isa from best_isa", "avx2 on machine 1;",
              "what has room for one takes that with the most runs");
    is_answer(report->store,
              "select isa, name, value from conv_constant where name <> 'vector' order by 1",
              "avx2 on machine 1|read 8192|1000000000;avx2 on machine 2|read 8192|2000000000;",
              "each has its constants");
    caption(report, ". Nothing that different machines measured is compared: the widest"
                    " instruction set here is avx2 on machine 1.");
}

static void one_machine(const struct report *report)
{
    warns(report, "", "a machine with little else to do");
    is_answer(report->store, "select distinct isa, vectors from conv_setting", "avx2|2;",
              "one machine is not named");
    is_answer(report->store, "select isa, name, value from conv_constant where name <> 'vector'",
              "avx2|read 8192|1000000000;", "nor are its constants");
}

static void try_with(int machines, void (*check)(const struct report *report))
{
    char *dir = scratch_new();
    struct report report;
    struct error error = {""};

    if (ok(fill(dir, machines, &error) && report_open(&report, dir, false, &error),
           "a store of %d machine(s): %s", machines, error.text)) {
        check(&report);
        report_clear(&report);
    }
    scratch_remove(dir);
}

int main(void)
{
    try_with(1, one_machine);
    try_with(2, two_machines);
    return tap_done();
}
