/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: its tables and their columns.
 *
 * Whatever is changed here is another schema, which gets another number (STORE_SCHEMA).  */
#include <config.h>

#include "harness/store/store_table.h"

/* A column takes its kind from the type of its member.  */
#define KIND(member) \
    _Generic((member),             \
        int64_t: COLUMN_INT,       \
        bool: COLUMN_FLAG,         \
        double: COLUMN_REAL,       \
        const char *: COLUMN_TEXT, \
        uint64_t: COLUMN_CHECKSUM, \
        struct blob: COLUMN_BLOB,      \
        struct store_doubles: COLUMN_DOUBLES)

/* The column of a member of struct ROW with its name, with that of a member of PART, or with
 * another; what else there is to say about it may follow.  */
#define COLUMN(row, member, ...) NAMED(row, #member, member, ##__VA_ARGS__)
#define PART(row, part, member, ...) NAMED(row, #member, part.member, ##__VA_ARGS__)
#define NAMED(row, name_, member, ...)                                \
    {                                                                 \
        .name = name_, .kind = KIND(((const struct row *)0)->member), \
        .offset = offsetof(struct row, member), ##__VA_ARGS__         \
    }
/* One that no row brings.  */
#define NOWHERE(name_, kind_, ...)                  \
    {                                               \
        name_, kind_, COLUMN_NOWHERE, ##__VA_ARGS__ \
    }

#define ID NOWHERE("id", COLUMN_INT, .rule = "PRIMARY KEY")
#define REFERENCES(table) .rule = "REFERENCES " table
#define OF_TASK REFERENCES("task ON DELETE CASCADE")
#define ONE_A_TASK .rule = "PRIMARY KEY REFERENCES task ON DELETE CASCADE"
#define VIEWED .shown = COLUMN_VIEWED
#define LISTED .shown = COLUMN_LISTED

/* --- where rows come from --- */

/* A build or a machine: its rows of provenance as one text.  */
static const struct column key_columns[] = {ID, COLUMN(key_row, key, .rule = "NOT NULL UNIQUE")};

/* One that recorded something; KEY: its pairs as it began.  */
static const struct column sweep_columns[] = {ID, COLUMN(sweep_row, build, REFERENCES("build")),
                                              COLUMN(sweep_row, machine, REFERENCES("machine")),
                                              COLUMN(sweep_row, key)};

/* KIND: build, machine or sweep; ID: of which of these.  Which name belongs to what:
 * store_provenance.c.  */
static const struct column provenance_columns[] = {
    COLUMN(provenance_row, kind), COLUMN(provenance_row, id), COLUMN(provenance_row, name),
    COLUMN(provenance_row, value)};

/* Of the processor, measured by each sweep of kernels before its tasks.  */
static const struct column constant_columns[] = {
    COLUMN(constant_row, sweep, REFERENCES("sweep")), COLUMN(constant_row, isa),
    PART(constant_row, constant, name), PART(constant_row, constant, value)};

/* --- what is run, and on what --- */

/* SIZE: quick or full; FIGURES: names, separated by spaces; USED_S: wall clock of all sweeps
 * that ran tasks of it; TASKS: that it is made of, those of the skipped workloads, whose data
 * are not there, not counted; TASKS_CHECKSUM: of their keys without builds, by which two stores
 * know that they have parts of the same.  */
static const struct column experiment_columns[] = {
    COLUMN(store_experiment, name),
    COLUMN(store_experiment, size),
    COLUMN(store_experiment, title),
    COLUMN(store_experiment, description),
    COLUMN(store_experiment, figures),
    COLUMN(store_experiment, timing),
    COLUMN(store_experiment, budget_s),
    NOWHERE("used_s", COLUMN_REAL,
            .made = "coalesce((SELECT used_s FROM experiment WHERE name = :name AND"
                    " size = :size), 0.0)"),
    COLUMN(store_experiment, tasks),
    COLUMN(store_experiment, skipped),
    COLUMN(store_experiment, tasks_checksum),
};

/* KIND: network, generator, file or layer; NAME: registered, or a file's without folders; W and
 * the bounds: NULL without a graph and where they overflow; APPLICABLE: the article's bound
 * holds, REASON: why not.  */
static const struct column workload_columns[] = {
    ID,
    COLUMN(store_workload, label, .rule = "NOT NULL"),
    COLUMN(store_workload, checksum, .rule = "NOT NULL"),
    COLUMN(store_workload, kind),
    COLUMN(store_workload, name),
    COLUMN(store_workload, params),
    COLUMN(store_workload, n),
    COLUMN(store_workload, pairs),
    COLUMN(store_workload, load),
    COLUMN(store_workload, width),
    COLUMN(store_workload, max_size),
    COLUMN(store_workload, total),
    COLUMN(store_workload, w),
    COLUMN(store_workload, width_bound),
    COLUMN(store_workload, w1_bound),
    COLUMN(store_workload, w2_bound),
    COLUMN(store_workload, applicable),
    COLUMN(store_workload, w1_applicable),
    COLUMN(store_workload, reason),
};

/* harness/store/facts.h  */
static const struct column fact_columns[] = {COLUMN(fact_row, workload, REFERENCES("workload")),
                                             PART(fact_row, fact, name),
                                             PART(fact_row, fact, value)};

/* How often a network has a layer.  */
static const struct column layer_use_columns[] = {
    COLUMN(layer_use_row, experiment), COLUMN(layer_use_row, size),
    PART(layer_use_row, use, workload, REFERENCES("workload")), PART(layer_use_row, use, network),
    PART(layer_use_row, use, uses)};

/* Which tasks an experiment is made of.  */
static const struct column experiment_task_columns[] = {
    PART(experiment_task_row, use, experiment), PART(experiment_task_row, use, size),
    PART(experiment_task_row, use, seq), COLUMN(experiment_task_row, task, OF_TASK)};

/* --- tasks --- */

/* What keys of tasks have in common: the view task_key puts it together with a task's columns.  */
static const struct column form_columns[] = {ID, COLUMN(form_row, text, .rule = "NOT NULL UNIQUE")};

#define TASK(member, ...) PART(task_row, task, member, ##__VA_ARGS__)
static const struct column task_columns[] = {
    ID,
    COLUMN(task_row, form, REFERENCES("form")),
    TASK(kind), /* plan (planning) | conv (kernels) | run (networks) */
    TASK(workload, REFERENCES("workload")),
    TASK(contestant), /* registered name */
    TASK(params),     /* canonical, of the contestant */
    TASK(contestant_checksum),
    TASK(seed, VIEWED),
    TASK(repetition, VIEWED),
    TASK(time_limit_s, VIEWED),
    TASK(memory_limit, VIEWED),
    TASK(work_limit),
    TASK(outcome, VIEWED), /* outcome_name() */
    TASK(reason, VIEWED),
    TASK(timed, VIEWED),
    TASK(time_s, VIEWED),
    TASK(cpu_s, VIEWED),
    TASK(verify_s),
    TASK(replay_s),
    TASK(harness_s, VIEWED),
    TASK(rss_bytes, VIEWED),
    /* UTC, ISO 8601.  */
    NOWHERE("finished", COLUMN_TEXT, .made = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", VIEWED),
    COLUMN(task_row, sweep, REFERENCES("sweep"), VIEWED), /* that ran it */
    COLUMN(task_row, events),
    COLUMN(task_row, statistics),
    COLUMN(task_row, key_checksum),
};

/* A plan that others are told by, each by what it does not have in common with it; ID: a checksum
 * of the offsets, so that it is the same in every store.  */
static const struct column base_columns[] = {COLUMN(base_row, id, .rule = "PRIMARY KEY"),
                                             COLUMN(base_row, workload, REFERENCES("workload")),
                                             COLUMN(base_row, offsets)};

/* LAYOUT and PEAK: NULL without a plan; OFFSETS: packed (offsets.h), with those of BASE.  */
static const struct column plan_columns[] = {
    NAMED(task_row, "task", id, ONE_A_TASK),
    TASK(layout, VIEWED),
    TASK(peak, VIEWED),
    TASK(lower_bound, VIEWED),
    TASK(nodes, VIEWED),
    TASK(objects),
    TASK(replay),
    COLUMN(task_row, base, REFERENCES("base"), .zero_is_null = true),
    COLUMN(task_row, offsets),
};

/* Of a kernel's task, in place of the plan: store_conv.h says what the columns are.  */
#define CONV(member, ...) PART(conv_row, conv, member, ##__VA_ARGS__)
#define CHOICE(member, ...) PART(conv_row, conv.choice, member, ##__VA_ARGS__)
#define FINAL(name, member, ...) NAMED(conv_row, name, member, VIEWED, .later = true, ##__VA_ARGS__)
static const struct column conv_columns[] = {
    COLUMN(conv_row, task, ONE_A_TASK),
    CONV(isa),
    CONV(threads, VIEWED),
    CONV(role, VIEWED),
    CONV(rank, VIEWED, .zero_is_null = true),
    CONV(run_params),
    CHOICE(co, VIEWED, .zero_is_null = true),
    CHOICE(wo, VIEWED, .zero_is_null = true),
    CHOICE(ci, VIEWED, .zero_is_null = true),
    CHOICE(wf, VIEWED),
    CHOICE(hfil, VIEWED),
    NAMED(conv_row, "tile_rows", conv.choice.rows, VIEWED, .zero_is_null = true),
    CHOICE(cco, VIEWED, .zero_is_null = true),
    NAMED(conv_row, "loop_order", conv.choice.order, VIEWED),
    CHOICE(cci, LISTED, .zero_is_null = true),
    CONV(workspace_bytes, VIEWED),
    CONV(packed_bytes, VIEWED),
    CONV(pack_s, VIEWED),
    CONV(max_error, VIEWED),
    CONV(compared),
    CONV(rounds, VIEWED),
    CONV(turn_s),
    CONV(turn_at_s),
    CONV(low_s, VIEWED),
    CONV(high_s, VIEWED),
    CONV(settled, VIEWED),
    CONV(peak_flops, VIEWED),
    CONV(reference_s, VIEWED),
    CONV(model_m, VIEWED),
    CONV(model_exact, VIEWED),
    CONV(predicted_s, VIEWED),
    CONV(registers, VIEWED),
    CONV(spilled, VIEWED),
    CONV(chains, VIEWED),
    FINAL("final_rounds", final_rounds),
    FINAL("final_s", final_s),
    FINAL("final_low_s", final.low),
    FINAL("final_high_s", final.high),
    NAMED(conv_row, "final_turn_s", final_turn_s, .later = true),
    FINAL("final_sweep", final_sweep, REFERENCES("sweep")), /* that played it */
    CONV(counted_m, LISTED),
};

/* Of the task of a network that is run, in place of the plan: store_execution.h says what the
 * columns are.  */
#define EXECUTION(member) PART(execution_row, execution, member, VIEWED)
static const struct column execution_columns[] = {
    COLUMN(execution_row, task, ONE_A_TASK),
    EXECUTION(kernels),
    EXECUTION(isa),
    EXECUTION(threads),
    EXECUTION(groups),
    EXECUTION(rounds),
    PART(execution_row, execution, round_s),
    EXECUTION(low_s),
    EXECUTION(high_s),
    EXECUTION(serial_s),
    EXECUTION(modelled_speed_up),
    EXECUTION(arena_bytes),
    EXECUTION(own_bytes),
    EXECUTION(stored_bytes),
    EXECUTION(packed_bytes),
    EXECUTION(scratch_bytes),
    EXECUTION(workspace_bytes),
    EXECUTION(resident_bytes),
    EXECUTION(copied_bytes),
    EXECUTION(operators),
    EXECUTION(idle),
    EXECUTION(on_kernel),
    EXECUTION(other_convolutions),
    EXECUTION(same_as_plain),
};

/* Of the task of a planner for several memories, in place of the plan: store_split.h says what the
 * columns are.  */
static const struct column split_columns[] = {
    COLUMN(split_row, task, ONE_A_TASK),         PART(split_row, split, memories, VIEWED),
    PART(split_row, split, capacity, VIEWED),    PART(split_row, split, cost, VIEWED),
    PART(split_row, split, lower_bound, VIEWED), PART(split_row, split, flow_bound, VIEWED),
    PART(split_row, split, outside, VIEWED),
};

/* NAME: incumbent, bound or joined_bound.  */
static const struct column measurement_columns[] = {
    COLUMN(measurement_row, task, OF_TASK), COLUMN(measurement_row, seq),
    PART(measurement_row, event, name), PART(measurement_row, event, at_s),
    PART(measurement_row, event, value)};

/* What the search of a task counted.  */
static const struct column statistic_columns[] = {COLUMN(statistic_row, task, OF_TASK),
                                                  PART(statistic_row, statistic, name),
                                                  PART(statistic_row, statistic, value)};

/* --- all of them --- */

#define COLUMNS(columns) .column = columns, .count = sizeof columns / sizeof columns[0]
#define KEYED(columns) .rule = "PRIMARY KEY (" columns ")", .rowless = true

const struct table store_tables[TABLES] = {
    [TABLE_BUILD] = {"build", COLUMNS(key_columns)},
    [TABLE_MACHINE] = {"machine", COLUMNS(key_columns)},
    [TABLE_SWEEP] = {"sweep", COLUMNS(sweep_columns), .rule = "UNIQUE (build, machine, key)"},
    [TABLE_PROVENANCE] = {"provenance", COLUMNS(provenance_columns), KEYED("kind, id, name"),
                          .replace = true},
    [TABLE_CONSTANT] = {"constant", COLUMNS(constant_columns), KEYED("sweep, isa, name"),
                        .replace = true},
    [TABLE_EXPERIMENT] = {"experiment", COLUMNS(experiment_columns),
                          .rule = "PRIMARY KEY (name, size)", .replace = true},
    [TABLE_WORKLOAD] = {"workload", COLUMNS(workload_columns), .rule = "UNIQUE (label, checksum)"},
    [TABLE_FORM] = {"form", COLUMNS(form_columns)},
    [TABLE_FACT] = {"fact", COLUMNS(fact_columns), KEYED("workload, name"), .replace = true},
    [TABLE_LAYER_USE] = {"layer_use", COLUMNS(layer_use_columns),
                         KEYED("experiment, size, workload, network")},
    [TABLE_EXPERIMENT_TASK] = {"experiment_task", COLUMNS(experiment_task_columns),
                               KEYED("experiment, size, seq"), .replace = true},
    [TABLE_TASK] = {"task", COLUMNS(task_columns)},
    [TABLE_BASE] = {"base", COLUMNS(base_columns)},
    [TABLE_PLAN] = {"plan", COLUMNS(plan_columns)},
    [TABLE_CONV] = {"conv", COLUMNS(conv_columns)},
    [TABLE_EXECUTION] = {"execution", COLUMNS(execution_columns)},
    [TABLE_SPLIT] = {"split", COLUMNS(split_columns)},
    [TABLE_MEASUREMENT] = {"measurement", COLUMNS(measurement_columns), KEYED("task, seq")},
    [TABLE_STATISTIC] = {"statistic", COLUMNS(statistic_columns), KEYED("task, name")},
};
