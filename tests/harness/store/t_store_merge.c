/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that are merged: the same as a store into which the same sweeps wrote one after the other,
 * whatever the order of the parts, and however often one is given; damage is refused and leaves
 * nothing behind; gaps are told.  */
#include <config.h>

#include "harness/store/store_merge.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/harness/store/merge_parts.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { PARTS_MOST = 5 };

/* --- what is in it --- */

/* Without numbers of rows, which are chance; of a task also where it comes from.  */
static const char *const queries[] = {
    "SELECT k.key, t.kind, w.label, t.outcome, t.time_s, t.finished, b.key, m.key, d.value, "
    "p.layout, p.peak, p.lower_bound, p.replay, hex(p.offsets), c.isa, c.final_s, f.value, "
    "x.kernels, x.arena_bytes FROM task t JOIN task_key k ON k.task = t.id JOIN workload w ON w.id "
    "= t.workload JOIN sweep s ON s.id = t.sweep JOIN build b ON b.id = s.build JOIN machine m ON "
    "m.id = s.machine JOIN provenance d ON d.kind = 'sweep' AND d.id = s.id AND d.name = 'date' "
    "LEFT JOIN plan p ON p.task = t.id LEFT JOIN conv c ON c.task = t.id LEFT JOIN provenance f ON "
    "f.kind = 'sweep' AND f.id = c.final_sweep AND f.name = 'date' LEFT JOIN execution x ON x.task "
    "= t.id ORDER BY 1",
    "SELECT key, e.seq, e.name, e.at_s, e.value FROM measurement e JOIN task_key USING (task) "
    "ORDER BY 1, 2",
    "SELECT key, s.name, s.value FROM statistic s JOIN task_key USING (task) ORDER BY 1, 2",
    "SELECT label, checksum, kind, n, load, w, width_bound, w1_bound, applicable, reason, f.name, "
    "f.value FROM workload LEFT JOIN fact f ON f.workload = workload.id ORDER BY 1, 2",
    "SELECT e.experiment, e.size, e.seq, key FROM experiment_task e JOIN task_key USING (task) "
    "ORDER BY 1, 2, 3",
    "SELECT name, size, title, budget_s, tasks, tasks_checksum, printf('%.6f', used_s) FROM "
    "experiment ORDER BY 1, 2",
    "SELECT u.experiment, u.size, w.label, u.network, u.uses FROM layer_use u JOIN workload w ON "
    "w.id = u.workload ORDER BY 1, 2, 3",
    "SELECT d.value, c.isa, c.name, c.value FROM constant c JOIN provenance d ON d.kind = 'sweep' "
    "AND d.id = c.sweep AND d.name = 'date' ORDER BY 1, 2, 3",
    "SELECT kind, name, value FROM provenance ORDER BY 1, 2, 3",
};

enum { QUERIES = sizeof queries / sizeof queries[0] };

/* Each row of each table has its checksum: one that has none is taken for a row that an older
 * program wrote.  */
static void summed(struct store *store, const char *what)
{
    for (int t = 0; t < TABLES; t++) {
        char *sql = memory_printf("SELECT count(*) FROM %s WHERE row_checksum IS NULL",
                                  store_tables[t].name);
        char *answer = store_answer(store, sql);

        if (strcmp(answer, "0;") != 0)
            is_text(answer, "0;", "%s: %s", what, sql);
        free(answer);
        free(sql);
    }
}

/* The store opens, which looks through it, and has what that of WANT has.  */
static void same(const char *got, const char *want, const char *what)
{
    struct error error = {""};
    struct store *left = store_open(got, false, &error), *right = store_open(want, false, &error);

    if (ok(left != NULL && right != NULL, "%s: opens%s%s", what, error.text[0] == '\0' ? "" : ": ",
           error.text)) {
        summed(left, what);
        for (int q = 0; q < QUERIES; q++) {
            char *a = store_answer(left, queries[q]), *b = store_answer(right, queries[q]);

            if (strcmp(a, b) != 0)
                is_text(a, b, "%s: %s", what, queries[q]);
            free(a);
            free(b);
        }
    }
    store_close(left);
    store_close(right);
}

/* --- the same as one store --- */

/* Deals the tasks to PARTS, some to two of them; the last of which has it in the one store, too. */
static void deal(struct rng *rng, struct part *part, int parts, bool doubles)
{
    for (int p = 0; p < parts; p++)
        part[p] = part_usual(p + 1);
    for (int t = 0; t < TASKS; t++) {
        part[rng_range(rng, 0, parts - 1)].has[t] = true;
        if (doubles && rng_range(rng, 0, 2) == 0)
            part[rng_range(rng, 0, parts - 1)].has[t] = true;
    }
}

static void one_round(struct rng *rng, bool doubles)
{
    const int parts = (int)rng_range(rng, 1, PARTS_MOST);
    struct part part[PARTS_MOST];
    const char *dir[PARTS_MOST];
    char name[PARTS_MOST][16];
    struct merge result;
    struct error error = {""};

    deal(rng, part, parts, doubles);
    for (int p = 0; p < parts; p++) {
        snprintf(name[p], sizeof name[p], "p%d", p);
        dir[p] = name[p];
        parts_fill(dir[p], &part[p], 1);
    }
    parts_fill("one", part, parts);
    for (int order = 0; order < 2; order++) {
        if (order > 0)
            rng_shuffle(rng, dir, (size_t)parts, sizeof *dir);
        ok(parts_merge_once("out", dir, (size_t)parts, false, &result, &error), "%d parts: %s",
           parts, error.text);
        is_int(result.tasks, TASKS, "all tasks");
        is_int(result.missing, 0, "... of the experiment");
        same("out", "one", order == 0 ? "as one store" : "in another order");
        parts_drop("out");
    }
    if (parts > 2) {
        ok(parts_merge_once("half", dir, 2, false, &result, &error), "two of them: %s", error.text);
        dir[1] = "half";
        ok(parts_merge_once("out", dir + 1, (size_t)parts - 1, false, &result, &error),
           "... and the rest: %s", error.text);
        same("out", "one", "step by step");
        parts_drop("out");
        parts_drop("half");
        dir[1] = name[1];
    }
    parts_drop_all();
}

/* --- one store, twice --- */

static void twice(void)
{
    struct part part = part_with_all(1), half = part_usual(1);
    const char *dir[] = {"a", "a", "a/"}, *some[] = {"b", "a"};
    struct merge result;

    parts_fill("a", &part, 1);
    result = parts_merged(dir, 1, "one store");
    is_int(result.doubles, 0, "has no task twice");
    same("out", "a", "is that store");
    parts_drop("out");
    result = parts_merged(dir, 3, "the same three times");
    is_int(result.doubles, TASKS, "all are there more than once");
    same("out", "a", "is that store, with its wall clock");
    parts_drop("out");
    memcpy(half.has, part.has, TASKS / 2);
    parts_fill("b", &half, 1);
    result = parts_merged(some, 2, "an older copy of it");
    is_int(result.doubles, TASKS / 2, "half of it is there twice");
    same("out", "a", "is that store");
    parts_drop_all();
}

/* What a limit cut, or what crashed, may end otherwise elsewhere.  */
static void no_conflict(const char *outcome)
{
    struct part part[] = {part_with_all(1), part_with_all(2)};
    const char *dir[] = {"b", "a"};
    struct merge result;
    struct error error = {""};

    part[0].outcome = outcome;
    parts_fill("a", &part[0], 1);
    parts_fill("b", &part[1], 1);
    parts_fill("one", part, 2);
    ok(parts_merge_once("out", dir, 2, false, &result, &error),
       "%s in one, feasible in the other: %s", outcome, error.text);
    same("out", "one", "the later one");
    parts_drop_all();
}

/* LEFT and RIGHT, which have no task in common, come in either order to what is in ONE.  */
static void either_order(const struct part *left, const struct part *right, const struct part *one,
                         const char *what)
{
    const char *dir[] = {"a", "b", "a"};
    struct merge result;
    struct error error = {""};

    parts_fill("a", left, 1);
    parts_fill("b", right, 1);
    parts_fill("one", one, 2);
    for (int order = 0; order < 2; order++) {
        ok(parts_merge_once("out", dir + order, 2, false, &result, &error), "%s: %s", what,
           error.text);
        same("out", "one", what);
        parts_drop("out");
    }
    parts_drop_all();
}

/* A killed worker's workload has no bounds: those of the other store are taken.  */
static void bounds(void)
{
    struct part left = part_usual(1), right = part_usual(2), one[2];

    memset(left.has, true, TASKS / 2);
    memset(right.has + TASKS / 2, true, TASKS / 2);
    one[0] = left;
    one[1] = right;
    right.bounds_unknown = true;
    either_order(&left, &right, one, "bounds that one has");
    left.bounds_unknown = true;
    one[0] = left;
    either_order(&left, &right, one, "bounds that none has");
}

/* A copy of a store from before its sweep was told more: what it was told later counts.  */
static void later_pair(void)
{
    struct part part = part_with_all(1);
    const char *dir[] = {"a", "b", "a"}, *out[] = {"a", "b"};
    struct store *store;

    for (int copy = 0; copy < 2; copy++) {
        parts_fill(out[copy], &part, 1);
        store = opened(out[copy], true);
        is_answer(store,
                  copy == 0 ? "INSERT INTO provenance (kind, id, name, value) VALUES ('sweep', 1, "
                              "'load', '0.1')"
                            : "INSERT INTO provenance (kind, id, name, value) VALUES ('sweep', 1, "
                              "'load', '0.2'), ('sweep', 1, 'more', '1')",
                  "", "a pair that the sweep has got");
        store_close(store);
    }
    for (int order = 0; order < 2; order++) {
        parts_merged(dir + order, 2, "merged");
        store = opened("out", false);
        is_answer(store,
                  "SELECT (SELECT count(*) FROM sweep), name, value FROM provenance WHERE name IN "
                  "('load', 'more') ORDER BY name",
                  "1|load|0.2;1|more|1;", "one sweep, with what is newest");
        store_close(store);
        parts_drop("out");
    }
    parts_drop_all();
}

/* --- gaps --- */

static void gaps(void)
{
    struct part part = part_with_all(1);
    const char *dir[] = {"a"};
    struct merge result;
    struct error error = {""};

    part.has[0] = part.has[4] = part.has[5] = part.has[6] = part.has[TASKS - 1] = false;
    parts_fill("a", &part, 1);
    ok(parts_merge("out", dir, 1, false, &result, &error), "a part: %s", error.text);
    is_int(result.missing, 5, "five are missing");
    is_text(rows_named(&result.experiments, 0, "gaps"), "0, 4-6, 35", "... these");
    is_text(rows_named(&result.experiments, 0, "here"), "31", "the others are there");
    is_text(rows_named(&result.experiments, 0, "shards"), "1/9", "of one shard");
    store_merge_clear(&result);
    parts_drop("out");
    parts_drop("a");
    part = part_usual(1);
    parts_fill("a", &part, 1);
    ok(parts_merge("out", dir, 1, false, &result, &error), "nothing: %s", error.text);
    is_text(rows_named(&result.experiments, 0, "gaps"), "0-35", "all are missing");
    store_merge_clear(&result);
    parts_drop_all();
}

/* --- folders --- */

static void folders(void)
{
    const struct part part = part_with_all(1);
    const char *dir[] = {"a", "nowhere"};
    struct merge result;
    struct error error = {""};

    parts_fill("a", &part, 1);
    ok(!parts_merge_once("a", dir, 1, false, &result, &error) &&
           strstr(error.text, "empty folder") != NULL,
       "not into a folder with results: %s", error.text);
    ok(mkdir("out", 0777) == 0 && parts_merge_once("out/", dir, 1, false, &result, &error),
       "into an empty folder: %s", error.text);
    parts_drop("out");
    ok(!parts_merge_once("out", dir, 2, false, &result, &error) &&
           strstr(error.text, "nowhere") != NULL,
       "not of a folder that is not there: %s", error.text);
    ok(!parts_merge_once("no/such/out", dir, 1, false, &result, &error), "not below one: %s",
       error.text);
    is_int(parts_entries(), 1, "nothing is left behind");
    parts_drop("a");
}

/* --- damage --- */

/* Turns the bits of 64 bytes; not where nothing is stored, unless AGAIN.  */
static bool turn(const char *path, int64_t at, bool again)
{
    unsigned char byte[64];
    int fd = open(path, O_RDWR);
    bool done = fd >= 0 && pread(fd, byte, sizeof byte, at) == sizeof byte &&
                (again || byte[0] != 0 || byte[63] != 0);

    for (size_t i = 0; i < sizeof byte; i++)
        byte[i] ^= 0xff;
    done = done && pwrite(fd, byte, sizeof byte, at) == sizeof byte;
    if (fd >= 0)
        close(fd);
    return done;
}

/* Some bytes of one part are wrong: refused with nothing made, or it did not matter.  */
static void damaged(struct rng *rng, int rounds)
{
    struct part part[] = {part_usual(1), part_usual(2)};
    const char *dir[] = {"a", "b"};
    struct stat status;
    int refused = 0;

    memset(part[0].has, true, TASKS / 2);
    memset(part[1].has + TASKS / 2, true, TASKS / 2);
    parts_fill("a", &part[0], 1);
    parts_fill("b", &part[1], 1);
    parts_fill("one", part, 2);
    ok(stat("b/results.db", &status) == 0, "a file");
    for (int round = 0; round < rounds; round++) {
        int64_t at = rng_range(rng, 0, (int64_t)status.st_size - 64);
        struct merge result;
        struct error error = {""};

        while (!turn("b/results.db", at, false))
            at = rng_range(rng, 0, (int64_t)status.st_size - 64);
        if (parts_merge_once("out", dir, 2, false, &result, &error)) {
            same("out", "one", "it does not matter");
            parts_drop("out");
        } else {
            ok(error.text[0] != '\0' && parts_entries() == 3, "refused: %.120s", error.text);
            refused++;
        }
        turn("b/results.db", at, true);
    }
    ok(refused > rounds / 2, "%d of %d were refused", refused, rounds);
    parts_drop_all();
}

int main(void)
{
    struct rng *rng = rng_new(29);

    scratch_enter();
    for (int round = 0; round < tap_tier(2, 12); round++)
        one_round(rng, round % 2 == 1);
    twice();
    no_conflict("timeout");
    no_conflict("memout");
    no_conflict("crashed");
    bounds();
    later_pair();
    gaps();
    folders();
    damaged(rng, tap_tier(8, 40));
    rng_free(rng);
    is_int(parts_entries(), 0, "nothing is left");
    scratch_leave();
    return tap_done();
}
