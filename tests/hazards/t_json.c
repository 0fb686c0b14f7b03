/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and plans as files: written and read back, refused with the place, and the problems that
 * a compiler wrote: each is solved, and pays no more than dsa-solver's best.  */
#include <config.h>

#include "hazards/json.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hazards/planners.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"

/* Two pools, every kind of pair, a pin, a reserved range, two lives, costs.  */
static const char whole[] =
    "{\"schema_version\":1,\"profile\":\"p\",\"instance\":\"whole\",\"metadata\":{},\"problem\":{"
    "\"pools\":[{\"id\":3,\"name\":\"L0\",\"capacity\":64,"
    "\"reserved_ranges\":[{\"begin\":0,\"end\":4}]},"
    "{\"id\":5,\"name\":\"L1\",\"capacity\":null,\"reserved_ranges\":[]}],"
    "\"buffers\":["
    "{\"id\":10,\"name\":\"a\",\"size\":8,\"alignment\":4,\"allowed_pools\":[3],"
    "\"live_intervals\":["
    "{\"lower\":0,\"upper\":2},{\"lower\":5,\"upper\":6}]},"
    "{\"id\":7,\"name\":\"b\",\"size\":6,\"alignment\":1,\"allowed_pools\":[3],\"live_intervals\":["
    "{\"lower\":2,\"upper\":4}]},"
    "{\"id\":8,\"name\":\"c\",\"size\":6,\"alignment\":1,\"allowed_pools\":[3],\"live_intervals\":["
    "{\"lower\":1,\"upper\":3}]},"
    "{\"id\":9,\"name\":\"d\",\"size\":2,\"alignment\":1,\"allowed_pools\":[5],\"live_intervals\":["
    "{\"lower\":-3,\"upper\":9}]}],"
    "\"constraints\":{\"colocations\":[],\"separations\":[{\"first\":10,\"second\":7,"
    "\"reasons\":[\"generic\"]}],\"temporal_exclusions\":[{\"first\":8,\"second\":7}],"
    "\"pinned_allocations\":[{\"buffer\":9,\"pool\":5,\"offset\":12,"
    "\"exclusive_for_all_time\":false}]},"
    "\"cost_model\":{\"reuse_penalties\":[{\"first\":7,\"second\":8,\"cost\":4,"
    "\"reason\":\"generic\"}]},"
    "\"objective\":{\"aggregation\":\"lexicographic\",\"terms\":[\"capacity_overflow\","
    "\"reuse_cost\"]}}}";

static bool read_text(const char *text, struct hazard_problem *problem, struct error *error)
{
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    const bool good = hazard_json_read(in, "p.json", problem, error);

    fclose(in);
    return good;
}

static char *text_of(const struct hazard_problem *problem)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    if (!hazard_json_write(out, problem))
        tap_bail("can't write");
    memory_stream_close(out);
    return text;
}

static void test_whole(void)
{
    struct hazard_problem problem, again;
    struct hazard_answer answer;
    const struct hazard_limits limits = {INFINITY, INT64_MAX, 1};
    struct error error = {""};
    int64_t offset[4], back[4];
    char *text, *second, *plan;
    size_t length;
    FILE *stream;

    if (!ok(read_text(whole, &problem, &error), "a problem with everything is read")) {
        tap_diag("%s", error.text);
        return;
    }
    is_int((int64_t)problem.n_pairs, 2, "its pairs");
    is_int(problem.plain->buffer[0].pieces, 2, "a buffer lives twice");
    is_int(problem.plain->buffer[3].fixed, 12, "another one is pinned");
    ok(hazard_plan(&problem, hazard_planner_named("exact", NULL), &limits, offset, &answer, &error),
       "it is planned");
    is_int(answer.value.cost, 0, "there is room for all that pays");
    text = text_of(&problem);
    ok(read_text(text, &again, &error), "what is written is read");
    second = text_of(&again);
    is_text(second, text, "as the same");
    stream = memory_stream(&plan, &length);
    ok(hazard_json_write_plan(stream, &problem, offset), "the plan is written");
    memory_stream_close(stream);
    stream = fmemopen(plan, length, "r");
    ok(hazard_json_read_plan(stream, "plan.json", &problem, back, &error), "and read");
    fclose(stream);
    ok(memcmp(offset, back, sizeof offset) == 0, "as it was");
    memory_free(plan);
    memory_free(text);
    memory_free(second);
    hazard_problem_clear(&problem);
    hazard_problem_clear(&again);
}

/* --- what is wrong --- */

/* The text above with the first FROM as TO.  */
static void refused(const char *from, const char *to, const char *message)
{
    const char *at = strstr(whole, from);
    char *text = memory_printf("%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    struct hazard_problem problem;
    struct error error = {""};

    ok(!read_text(text, &problem, &error), "refused: %s", to);
    is_text(error.text, message, "with the place");
    hazard_problem_clear(&problem);
    memory_free(text);
}

static void test_refusals(void)
{
    refused("{\"schema_version\":1", "{\"schema_version\":2",
            "p.json: the file: 'schema_version' is 2; expected 1");
    refused("\"size\":8", "\"size\":0",
            "p.json: problem.buffers[0]: 'size': expected a whole number from 1 on");
    refused("\"size\":6", "\"size\":6.5",
            "p.json: problem.buffers[1]: 'size': expected a whole number from 1 on");
    refused("\"lower\":2,\"upper\":4", "\"lower\":4,\"upper\":4",
            "p.json: problem.buffers[1]: a life of no steps: [4, 4)");
    refused("\"id\":8", "\"id\":7", "p.json: problem.buffers: [1] and [2] have the id 7");
    refused("\"id\":5,", "\"id\":3,", "p.json: problem.pools[1]: 'id' is that of problem.pools[0]");
    refused("[3],\"live_intervals\":[{\"lower\":2", "[3,5],\"live_intervals\":[{\"lower\":2",
            "p.json: problem.buffers[1]: 'allowed_pools' has 2 pools; expected the number of one "
            "(which of several is best, `fit` answers)");
    refused("[5],\"live_intervals\"", "[4],\"live_intervals\"",
            "p.json: problem.buffers[3]: no pool has the id 4");
    refused(
        "{\"first\":8,\"second\":7}", "{\"first\":8,\"second\":70}",
        "p.json: problem.constraints.temporal_exclusions[0]: 'second': no buffer has the id 70");
    refused("\"offset\":12", "\"offset\":-1",
            "p.json: problem.constraints.pinned_allocations[0]: 'offset': expected a whole number "
            "from 0 on");
    refused(
        "\"pool\":5", "\"pool\":3",
        "p.json: problem.constraints.pinned_allocations[0]: expected the buffer's own pool, and "
        "true or false");
    refused("\"end\":4", "\"end\":65",
            "p.json: problem.pools[0]: a reserved range ends above the capacity");
    refused("\"second\":8,\"cost\"", "\"second\":7,\"cost\"",
            "p.json: problem.cost_model.reuse_penalties[0]: 'first' and 'second' are one buffer");
    refused("\"reuse_cost\"]", "\"bank_cost\"]",
            "p.json: problem.objective: the term 'bank_cost'; expected capacity_overflow, then "
            "reuse_cost, total_peak or max_peak");
    refused("\"alignment\":4", "\"alignement\":4",
            "p.json: problem.buffers[0]: unknown member 'alignement'; expected of: id name size "
            "alignment live_intervals allowed_pools");
    refused("\"problem\":{", "\"problem\":[", "p.json:1:86: no JSON: ']' expected near ':'");
}

/* --- what a compiler wrote --- */

struct corpus {
    int files, unread, wrong, open, worse, not_same;
    double slowest;
};

static void solve_file(const char *path, struct corpus *corpus)
{
    const double start = timer_now();
    const struct hazard_limits limits = {start + 20.0, INT64_MAX, 1};
    struct hazard_problem problem;
    struct hazard_answer answer;
    struct error error;
    FILE *in = fopen(path, "r");
    int64_t *offset;

    if (!hazard_json_read(in, path, &problem, &error)) {
        tap_diag("%s", error.text);
        corpus->unread++;
    } else {
        offset = memory_zalloc(problem.plain->n, sizeof *offset);
        if (!hazard_plan(&problem, hazard_planner_named("exact", NULL), &limits, offset, &answer,
                         &error)) {
            tap_diag("%s: %s", path, error.text);
            corpus->wrong++;
        } else if (!answer.proven) {
            tap_diag("%s: open", path);
            corpus->open++;
        }
        memory_free(offset);
    }
    corpus->slowest = fmax(corpus->slowest, timer_now() - start);
    fclose(in);
    hazard_problem_clear(&problem);
}

static void solve_folder(const char *folder, struct corpus *corpus)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = memory_printf("%s/%s", folder, entry[i]->d_name);

        if (hazard_json_is(path)) {
            corpus->files++;
            solve_file(path, corpus);
        } else if (entry[i]->d_name[0] != '.') {
            solve_folder(path, corpus);
        }
        memory_free(path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

/* NAME's cost by PLANNER within SECONDS.  */
static int64_t cost_of(const char *name, const char *planner, double seconds)
{
    char *path = memory_printf("%s/dsa-solver/%s", tap_data(), name);
    FILE *in = fopen(path, "r");
    struct hazard_problem problem;
    struct hazard_answer answer = {0};
    const struct hazard_limits limits = {timer_now() + seconds, INT64_MAX, 1};
    struct error error;
    int64_t *offset, cost = -1;

    if (in != NULL && hazard_json_read(in, path, &problem, &error)) {
        offset = memory_zalloc(problem.plain->n, sizeof *offset);
        if (hazard_plan(&problem, hazard_planner_named(planner, NULL), &limits, offset, &answer,
                        &error) &&
            answer.plan && answer.value.overflow == 0)
            cost = answer.value.cost;
        memory_free(offset);
        hazard_problem_clear(&problem);
    }
    if (in != NULL)
        fclose(in);
    memory_free(path);
    return cost;
}

/* Every row of best.csv that fits: dsa-solver's best cost, which ours is.  */
static void compare_costs(void)
{
    char *path = memory_printf("%s/dsa-solver/best.csv", tap_data()), line[512];
    FILE *in = fopen(path, "r");
    int above = 0, rows = 0;

    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        char *rest = line, *name = strsep(&rest, ","), *cost;
        int64_t ours;

        strsep(&rest, ",");
        strsep(&rest, ",");
        cost = strsep(&rest, ",");
        if (strncmp(name, "pypto/", 6) != 0 || cost == NULL || cost[0] == '\0')
            continue;
        ours = cost_of(name, "exact", 20.0);
        rows++;
        if (ours < 0 || ours > strtoll(cost, NULL, 10)) {
            tap_diag("%s: %d, theirs %s", name, (int)ours, cost);
            above++;
        }
    }
    is_int(above, 0, "no cost is above dsa-solver's best (%d problems)", rows);
    if (in != NULL)
        fclose(in);
    memory_free(path);
}

/* dsa-solver's report of its first fit, on the access schedules of MiniMalloc's instances, and half
 * of its best costs, which a second of search is below.  */
static void test_synthetic(void)
{
    static const struct {
        const char *name;
        int64_t first_fit, best;
    } row[] = {
        {"A", 326, 285}, {"C", 418, 365}, {"E", 461, 403}, {"G", 529, 450}, {"I", 973, 902},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char *name = memory_printf("minimalloc-dsa-rp/%s.json", row[i].name);

        is_int(cost_of(name, "first-fit", 1.0), row[i].first_fit, "first fit of %s as published",
               row[i].name);
        if (tap_tier(0, 1) == 1)
            ok(cost_of(name, "ruin-recreate", 0.5) < row[i].best, "less cost than dsa-solver's");
        memory_free(name);
    }
}

static void test_corpus(void)
{
    struct corpus corpus = {0};
    char *folder;

    if (tap_skip_without(11, "dsa-solver/best.csv"))
        return;
    folder = memory_printf("%s/dsa-solver/pypto", tap_data());
    solve_folder(folder, &corpus);
    memory_free(folder);
    is_int(corpus.files, 273, "problems that a compiler wrote");
    is_int(corpus.unread, 0, "each is read");
    is_int(corpus.wrong, 0, "each has a plan that the judge takes");
    is_int(corpus.open, 0, "each is proven");
    tap_diag("the slowest took %.3f s", corpus.slowest);
    compare_costs();
    test_synthetic();
}

int main(void)
{
    test_whole();
    test_refusals();
    test_corpus();
    return tap_done();
}
