/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and plans as files: written and read back, refused with the place, and the problems that
 * a compiler wrote: each is solved, and pays no more than dsa-solver's best.  */
#include <config.h>

#include "hazards/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hazards/planners.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "tests/support/hazard_case.h"
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
    text = hazard_text(&problem);
    ok(read_text(text, &again, &error), "what is written is read");
    second = hazard_text(&again);
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
            "p.json: problem.cost_model.reuse_penalties[0]: a pair of buffer 'b' with itself; "
            "expected two");
    refused("\"alignment\":4", "\"alignement\":4",
            "p.json: problem.buffers[0]: unknown member 'alignement'; expected of: id name size "
            "alignment live_intervals allowed_pools");
    refused("\"problem\":{", "\"problem\":[", "p.json:1:86: no JSON: ']' expected near ':'");
}

/* Members that dsa-solver has not, and numbers that it has.  */
static void test_members(void)
{
    refused("\"metadata\":{}", "\"metadata\":[]",
            "p.json: the file: 'metadata' is no object; expected {...}");
    refused("\"metadata\":{}", "\"meta\":{}",
            "p.json: the file: unknown member 'meta'; expected of: schema_version profile instance "
            "relaxed_from relaxed_features metadata problem");
    refused("\"colocations\":[],", "", "p.json: problem.constraints: no member 'colocations'");
    refused("\"colocations\":[],", "\"colocations\":[],\"banks\":[],",
            "p.json: problem.constraints: unknown member 'banks'; expected of: colocations "
            "separations temporal_exclusions pinned_allocations");
    refused("\"cost_model\":{", "\"cost_model\":{\"unit\":\"s\",",
            "p.json: problem.cost_model: unknown member 'unit'; expected of: reuse_penalties");
    refused("\"name\":\"L1\"",
            "\"name\":\"L1\",\"bank_geometry\":{\"bank_size\":0,\"num_banks\":4}",
            "p.json: problem.pools[1]: 'bank_size': expected a whole number from 1 on");
    refused("\"size\":6", "\"size\":18446744073709551615",
            "p.json:1:405: problem.buffers[1]: 'size' of buffer 'b' is above 9223372036854775807");
    refused("\"capacity\":64", "\"capacity\":18446744073709551615",
            "p.json:1:138: too big integer near '18446744073709551615'");
}

static void test_pairs(void)
{
    refused("{\"first\":8,\"second\":7}", "{\"first\":8,\"second\":8}",
            "p.json: problem.constraints.temporal_exclusions[0]: a pair of buffer 'c' with itself; "
            "expected two");
    refused(
        "\"first\":10,\"second\":7", "\"first\":10,\"second\":10",
        "p.json: problem.constraints.separations[0]: a pair of buffer 'a' with itself; expected "
        "two");
    refused("\"colocations\":[]", "\"colocations\":[{\"first\":8,\"second\":9}]",
            "p.json: problem.constraints.colocations[0]: buffers 'c' and 'd' lie in different "
            "pools");
    refused("\"colocations\":[]",
            "\"colocations\":[{\"first\":8,\"second\":7},{\"first\":8,\"second\":10}]",
            "p.json: problem.constraints.separations[0]: buffers 'a' and 'b' are together");
    refused("{\"buffer\":9,\"pool\":5,\"offset\":12", "{\"buffer\":10,\"pool\":3,\"offset\":0",
            "p.json: problem.constraints.pinned_allocations[0]: buffer 'a' reaches into [0, 4), "
            "which is reserved");
    refused(
        "{\"buffer\":9,\"pool\":5,\"offset\":12", "{\"buffer\":10,\"pool\":3,\"offset\":60",
        "p.json: problem.constraints.pinned_allocations[0]: buffer 'a' ends above the capacity");
    refused("{\"buffer\":9,\"pool\":5,\"offset\":12", "{\"buffer\":10,\"pool\":3,\"offset\":6",
            "p.json: problem.constraints.pinned_allocations[0]: 'offset' is no multiple of the "
            "alignment");
    refused(
        "\"cost\":4",
        "\"cost\":9223372036854775807,\"reason\":\"generic\"},{\"first\":7,\"second\":10,"
        "\"cost\":1",
        "p.json: problem.cost_model.reuse_penalties[1]: the sum of the costs overflows 64 bits");
}

#define TERMS "[\"capacity_overflow\",\"reuse_cost\"]"

static void test_objectives(void)
{
    static const struct {
        const char *terms;
        enum hazard_objective objective;
    } good[] = {
        {TERMS, HAZARD_COST},
        {"[\"reuse_cost\"]", HAZARD_COST},
        {"[\"capacity_overflow\",\"reuse_cost\",\"total_peak\"]", HAZARD_COST},
        {"[\"capacity_overflow\"]", HAZARD_PEAK},
        {"[\"max_peak\"]", HAZARD_PEAK},
        {"[\"total_peak\",\"max_peak\",\"reuse_cost\"]", HAZARD_PEAK},
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const char *at = strstr(whole, TERMS);
        char *text =
            memory_printf("%.*s%s%s", (int)(at - whole), whole, good[i].terms, at + strlen(TERMS));
        struct hazard_problem problem;
        struct error error = {""};

        ok(read_text(text, &problem, &error) && problem.objective == good[i].objective, "%s",
           good[i].terms);
        hazard_problem_clear(&problem);
        memory_free(text);
    }
    refused("\"reuse_cost\"]", "\"bank_cost\"]",
            "p.json: problem.objective.terms[1]: 'bank_cost': costs of banks are not planned here");
    refused("\"reuse_cost\"]", "\"reuse_cost\",\"speed\"]",
            "p.json: problem.objective.terms[2]: the term 'speed'; expected capacity_overflow, "
            "reuse_cost, total_peak or max_peak");
    refused("\"reuse_cost\"]", "\"reuse_cost\",\"reuse_cost\"]",
            "p.json: problem.objective.terms[2]: 'reuse_cost' stands once more");
    refused(TERMS, "[\"reuse_cost\",\"capacity_overflow\"]",
            "p.json: problem.objective.terms[1]: 'capacity_overflow' behind 'reuse_cost'; expected "
            "it first");
    refused(TERMS, "[]", "p.json: problem.objective: no 'terms'; expected one or more");
    refused("lexicographic", "weighted",
            "p.json: problem.objective: 'aggregation' is 'weighted'; expected lexicographic");
}

/* --- what is taken as dsa-solver takes it --- */

/* The text above with the first FROM as TO, read.  */
static bool read_changed(const char *from, const char *to, struct hazard_problem *problem)
{
    const char *at = strstr(whole, from);
    char *text = memory_printf("%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    struct error error = {""};
    const bool good = read_text(text, problem, &error);

    if (!good)
        tap_diag("%s", error.text);
    memory_free(text);
    return good;
}

static size_t count_kind(const struct hazard_problem *problem, enum conflict_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < problem->n_pairs; i++)
        count += problem->pair[i].kind == kind;
    return count;
}

static void test_meaning(void)
{
    struct hazard_problem problem;
    char *text;

    ok(read_changed("{\"first\":8,\"second\":7}", "{\"first\":7,\"second\":10}", &problem),
       "a pair is apart and exclusive");
    is_int((int64_t)problem.n_pairs, 1, "one of it is left");
    is_int((int64_t)count_kind(&problem, CONFLICT_APART), 1, "it is apart");
    hazard_problem_clear(&problem);
    ok(read_changed("\"colocations\":[],\"separations\":[{\"first\":10,\"second\":7,"
                    "\"reasons\":[\"generic\"]}],",
                    "\"colocations\":[{\"first\":7,\"second\":8},{\"first\":9,\"second\":9}],"
                    "\"separations\":[],",
                    &problem),
       "a buffer is together with itself");
    is_int((int64_t)count_kind(&problem, CONFLICT_TOGETHER), 1, "which says nothing");
    hazard_problem_clear(&problem);
    ok(read_changed("{\"buffer\":9,\"pool\":5,\"offset\":12,\"exclusive_for_all_time\":false}",
                    "{\"buffer\":7,\"pool\":3,\"offset\":12,\"exclusive_for_all_time\":true}",
                    &problem),
       "a buffer is pinned for all time");
    is_int((int64_t)count_kind(&problem, CONFLICT_APART), 3, "apart from both others of its pool");
    is_int((int64_t)count_kind(&problem, CONFLICT_EXCLUSIVE), 0, "whatever excludes it");
    hazard_problem_clear(&problem);
    ok(read_changed("\"cost\":4,\"reason\":\"generic\"}",
                    "\"cost\":4,\"reason\":\"generic\"},{\"first\":10,\"second\":7,\"cost\":1,"
                    "\"reason\":\"generic\"},{\"first\":8,\"second\":7,\"cost\":2,"
                    "\"reason\":\"cross_pipe\"}",
                    &problem),
       "two buffers pay twice");
    is_int((int64_t)problem.n_costs, 2, "which is added up");
    is_int(problem.cost[0].cost, 6, "where the first stands");
    hazard_problem_clear(&problem);
    ok(read_changed("\"name\":\"b\"", "\"name\":\"b %1\"", &problem) &&
           strcmp(problem.plain->buffer[1].id, "b__1") == 0,
       "a name becomes an id");
    text = hazard_text(&problem);
    ok(strstr(text, "\"b %1\"") != NULL, "and is written as it was");
    memory_free(text);
    hazard_problem_clear(&problem);
}

/* dsa-solver's canonical text leaves out lists that are empty.  */
static void test_fingerprint(void)
{
    struct hazard_problem problem, other;

    ok(read_changed("\"instance\":\"whole\"", "\"relaxed_features\":[],\"instance\":\"whole\"",
                    &problem) &&
           read_changed("\"instance\":\"whole\"", "\"instance\":\"whole\"", &other) &&
           problem.fingerprint == other.fingerprint,
       "no relaxed features: the fingerprint of the problem that does not name them");
    hazard_problem_clear(&problem);
    ok(read_changed("\"profile\":\"p\"", "\"profile\":\"q\"", &problem) &&
           problem.fingerprint != other.fingerprint,
       "another profile has another one");
    hazard_problem_clear(&problem);
    hazard_problem_clear(&other);
    ok(read_changed(",\"reasons\":[\"generic\"]", "", &problem), "a pair without reasons");
    ok(read_changed(",\"reasons\":[\"generic\"]", ",\"reasons\":[]", &other) &&
           problem.fingerprint == other.fingerprint,
       "is one with none");
    hazard_problem_clear(&problem);
    hazard_problem_clear(&other);
}

/* What is pinned for all time may lie with what it is together with.  */
static void test_pinned_together(void)
{
    struct hazard_problem problem;

    ok(read_changed("\"colocations\":[],\"separations\":[{\"first\":10,\"second\":7,"
                    "\"reasons\":[\"generic\"]}],\"temporal_exclusions\":[{\"first\":8,"
                    "\"second\":7}],\"pinned_allocations\":[{\"buffer\":9,\"pool\":5,"
                    "\"offset\":12,\"exclusive_for_all_time\":false}]",
                    "\"colocations\":[{\"first\":7,\"second\":8}],\"separations\":[],"
                    "\"temporal_exclusions\":[],\"pinned_allocations\":[{\"buffer\":7,\"pool\":3,"
                    "\"offset\":12,\"exclusive_for_all_time\":true}]",
                    &problem),
       "a buffer is pinned for all time, and together with another");
    is_int((int64_t)count_kind(&problem, CONFLICT_APART), 1, "apart from the third alone");
    hazard_problem_clear(&problem);
}

/* Lives of one buffer that overlap are one life.  */
static void test_lives(void)
{
    struct hazard_problem problem;

    ok(read_changed(
           "\"size\":8,\"alignment\":4,\"allowed_pools\":[3],\"live_intervals\":["
           "{\"lower\":0,\"upper\":2},{\"lower\":5,\"upper\":6}]",
           "\"size\":40,\"alignment\":4,\"allowed_pools\":[3],\"live_intervals\":["
           "{\"lower\":4,\"upper\":6},{\"lower\":0,\"upper\":5},{\"lower\":8,\"upper\":9}]",
           &problem),
       "two lives overlap");
    is_int(problem.plain->load, 40 + 6 + 6 + 2, "and count once");
    hazard_problem_clear(&problem);
}

/* --- what a compiler wrote --- */

struct corpus {
    int files, unread, wrong, open, worse, not_same;
    double slowest;
};

static void solve_file(const char *path, void *context)
{
    struct corpus *corpus = context;
    const double start = timer_now();
    const struct hazard_limits limits = {start + 20.0, INT64_MAX, 1};
    struct hazard_problem problem;
    struct hazard_answer answer;
    struct error error;
    FILE *in = fopen(path, "r");
    int64_t *offset;

    corpus->files++;
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
    visit_json(folder, solve_file, &corpus);
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
    if (hazard_json_absent() != NULL) {
        tap_skip(1, hazard_json_absent());
        return tap_done();
    }
    test_whole();
    test_refusals();
    test_members();
    test_pairs();
    test_objectives();
    test_meaning();
    test_fingerprint();
    test_pinned_together();
    test_lives();
    test_corpus();
    return tap_done();
}
