/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored DIR: what the results in DIR say, but for what hangs on the clock or on who recorded it, a
 * line a row.  Two sweeps of the same tasks say the same, however often they were begun.
 * stored DIR SQL: what SQL does, which may call the store's own functions.  */
#include <config.h>

#include <stdio.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"

/* Rows are named by keys and labels, as ids hang on the order in which tasks ended.  Of a kernel's
 * turns and of the planners' events the times are left out; how many turns there are is what its
 * row says.  A final is there for a layer or not; who plays it hangs on times.  */
static const char *const queries[] = {
    "SELECT 'experiment', name, size, title, description, figures, timing, budget_s, tasks, "
    "skipped, used_s > 0 FROM experiment",
    "SELECT 'workload', label, checksum, kind, name, params, n, pairs, load, width, max_size, "
    "total, w, width_bound, w1_bound, w2_bound, applicable, w1_applicable, reason FROM workload",
    "SELECT 'fact', w.label, w.checksum, f.name, f.value FROM fact f JOIN workload w ON w.id = "
    "f.workload",
    "SELECT 'layer_use', u.experiment, u.size, w.label, u.network, u.uses FROM layer_use u JOIN "
    "workload w ON w.id = u.workload",
    "SELECT 'experiment_task', e.experiment, e.size, e.seq, key FROM experiment_task e JOIN "
    "task_key USING (task)",
    "SELECT 'task', k.key, t.kind, w.label, w.checksum, t.contestant, t.params, "
    "t.contestant_checksum, t.seed, t.repetition, t.time_limit_s, t.memory_limit, t.work_limit, "
    "t.outcome, t.reason, t.timed FROM task t JOIN task_key k ON k.task = t.id JOIN workload w ON "
    "w.id = t.workload",
    "SELECT 'plan', key, p.layout, p.peak, p.lower_bound, p.nodes, p.objects, p.replay, "
    "hex(offsets_unpack(p.offsets, p.base)) FROM plan p JOIN task_key USING (task)",
    "SELECT 'conv', key, c.isa, c.threads, c.role, c.rank, c.run_params, c.co, c.wo, c.ci, c.wf, "
    "c.hfil, c.tile_rows, c.cco, c.loop_order, c.cci, c.workspace_bytes, c.packed_bytes, "
    "c.max_error, c.compared, c.model_exact, c.registers, c.spilled, c.chains, c.counted_m, "
    "length(c.turn_s) = 8 * c.rounds FROM conv c JOIN task_key USING (task)",
    "SELECT 'final', w.label, c.isa, c.threads, max(c.final_rounds), max(c.final_sweep) > 0, "
    "min(c.final_rounds IS NULL OR length(c.final_turn_s) = 8 * c.final_rounds) FROM conv c JOIN "
    "task t ON t.id = c.task JOIN workload w ON w.id = t.workload GROUP BY 2, 3, 4",
    "SELECT 'execution', key, x.kernels, x.isa, x.threads, x.groups, x.rounds, x.arena_bytes, "
    "x.own_bytes, x.stored_bytes, x.packed_bytes, x.scratch_bytes, x.workspace_bytes, "
    "x.copied_bytes, x.operators, x.idle, x.on_kernel, x.other_convolutions, x.same_as_plain FROM "
    "execution x JOIN task_key USING (task)",
    "SELECT 'event', key, m.seq, m.name, m.value FROM measurement m JOIN task_key USING (task)",
    "SELECT 'statistic', key, s.name, s.value FROM statistic s JOIN task_key USING (task)",
};

static bool write_rows(struct store *store, const char *sql, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, store, sql, NULL, 0, error);

    for (size_t r = 0; r < rows.count; r++)
        for (size_t c = 0; c < rows.columns; c++)
            printf("%s%s", rows_text(&rows, r, c), c + 1 < rows.columns ? "|" : "\n");
    rows_clear(&rows);
    return done;
}

int main(int argc, char **argv)
{
    struct error error = {""};
    struct store *store;
    bool done = true;

    if (argc != 2 && argc != 3)
        return 2;
    store = store_open(argv[1], false, &error);
    if (argc == 3 && store != NULL)
        done = write_rows(store, argv[2], &error);
    for (size_t q = 0; argc == 2 && store != NULL && done && q < sizeof queries / sizeof queries[0];
         q++)
        done = write_rows(store, queries[q], &error);
    store_close(store);
    if (error.text[0] != '\0')
        fprintf(stderr, "stored: %s\n", error.text);
    return store == NULL || !done;
}
