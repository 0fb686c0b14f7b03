/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Braces, and experiment files: what is read, and what is refused where.  */
#include <config.h>

#include "harness/io/figure.h"
#include "harness/sweep/experiment.h"
#include "harness/sweep/experiment_layers.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"
#include "tests/support/tap.h"

/* The list as "a b c".  */
static char *joined(const struct text_list *list)
{
    char *text = memory_strdup("");

    for (size_t i = 0; i < list->n; i++)
        text = memory_append(text, "%s%s", i == 0 ? "" : " ", list->text[i]);
    return text;
}

static void braces(void)
{
    static const struct {
        const char *text, *want;
    } good[] = {
        {"plain:n=1,m=2", "plain:n=1,m=2"},
        {"a{b,c}d", "abd acd"},
        {"{1..3}", "1 2 3"},
        {"{-2..4..3}x", "-2x 1x 4x"},
        {"n={1,2},s={7..8}", "n=1,s=7 n=1,s=8 n=2,s=7 n=2,s=8"},
        {"{5..5,x}", "5 x"},
        {"", ""},
    };
    static const struct {
        const char *text, *want;
    } bad[] = {
        {"a{b", "a '{' without its '}'"},  {"a}b", "a '}' without its '{'"},
        {"{a,{b,c}}", "do not nest"},      {"{a,,b}", "an empty value"},
        {"{}", "an empty value"},          {"{3..1}", "expected whole numbers"},
        {"{1..x}", "expected whole"},      {"{1..4..0}", "expected whole"},
        {"{1..}", "expected whole"},       {"{1..30000}", "more than 20000"},
        {"{1..200}{1..200}", "more than"}, {"{1..999999999999999999}", "expected whole"},
    };
    struct text_list list = {0};
    struct error error = {""};
    char *text;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ok(expand_braces(good[i].text, &list, &error), "'%s' expands", good[i].text);
        text = joined(&list);
        is_text(text, good[i].want, "in the right order");
        free(text);
        text_list_clear(&list);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ok(!expand_braces(bad[i].text, &list, &error) && strstr(error.text, bad[i].want) != NULL,
           "'%s' is refused: %s", bad[i].text, error.text);
        is_int((int64_t)list.n, 0, "and adds nothing");
    }
    ok(expand_braces("{1..20000}", &list, &error) && list.n == 20000, "20000 are not too many");
    text_list_clear(&list);
}

static const char whole[] =
    "name = \"tiny\";\n"
    "title = \"Tiny\";\n"
    "figures = [\"gap\", \"bound\"];\n"
    "solvers = (\"@all\", \"naive\");\n"
    "time_limit_s = 2.5;\n"
    "quick: {\n"
    "    workloads = (\"uniform:n={4,5},seed={1..2}\", \"uniform:n=4,seed=2\",\n"
    "                 \"data:no/such.csv\");\n"
    "    memory_limit_mib = 64;\n"
    "    budget_s = 3;\n"
    "};\n"
    "full: {\n"
    "    workloads = (\"@networks:batch={1,2}\", \"uniform\");\n"
    "    time_limit_s = 10;\n"
    "    work_limit = 5000000000L;\n"
    "    seeds = (3, 4294967295L);\n"
    "    repetitions = 2;\n"
    "    budget_s = 100.5;\n"
    "};\n";

static size_t plain_solvers(void)
{
    size_t count = 0;

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        count += (entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0;
    return count;
}

static size_t networks(void)
{
    size_t count = 0;

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            count += strstr(network_registry[f]->model[m].name, "_lm") == NULL;
    return count;
}

/* What it does not say: the full size, and figures, which are then all that can show it.  */
static void short_file(void)
{
    static const char text[] = "name = \"c\"; title = \"C\"; time_limit_s = 1; budget_s = 1;\n"
                               "solvers = (\"@heuristics\", \"exec:mine=x\", \"naive@2s\");\n"
                               "quick: { workloads = (\"uniform\"); };\n";
    struct error error = {""};
    struct experiment *experiment = experiment_parse("c.cfg", text, &error);
    size_t shaped = 0, there = 0;

    if (!ok(experiment != NULL, "a short experiment is read%s", error.text))
        return;
    ok(experiment->has[EXPERIMENT_QUICK] && !experiment->has[EXPERIMENT_FULL],
       "it has the quick size alone");
    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++)
        if (strcmp(figure->shape, "plan") == 0) {
            shaped++;
            for (size_t i = 0; i < experiment->figures.n; i++)
                there += strcmp(experiment->figures.text[i], figure->name) == 0;
        }
    ok(shaped >= 6, "there are figures for any experiment");
    is_int((int64_t)there, (int64_t)shaped, "and it has all of them");
    is_text(experiment->set[EXPERIMENT_QUICK]
                .solvers.item[experiment->set[EXPERIMENT_QUICK].solvers.count - 1]
                .label,
            "exec:mine", "own planners beside a set");
    experiment_free(experiment);
}

/* Braces and commas of a user's command are left alone.  */
static void commands(void)
{
    struct error error = {""};
    struct experiment *experiment = experiment_parse(
        "c.cfg",
        "name = \"c\"; title = \"C\"; time_limit_s = 1; budget_s = 1;\n"
        "solvers = (\"exec:awk '{print $1, 0}' | x {1..3}\", \"path-cover:choice={last,best}\");\n"
        "quick: { workloads = (\"uniform\"); };\nfull: { workloads = (\"uniform\"); };\n",
        &error);

    if (!ok(experiment != NULL, "an experiment with a command is read%s", error.text))
        return;
    is_int((int64_t)experiment->set[EXPERIMENT_QUICK].solvers.count, 3,
           "one command, two planners");
    is_text(experiment->set[EXPERIMENT_QUICK].solvers.item[0].label,
            "exec:awk '{print $1, 0}' | x {1..3}", "the command as it stands");
    experiment_free(experiment);
}

/* Whether SET has SOLVER without parameters.  */
static bool has(const struct experiment_set *set, const char *solver)
{
    for (size_t i = 0; i < set->solvers.count; i++)
        if (strcmp(set->solvers.item[i].label, solver) == 0)
            return true;
    return false;
}

static void sets_of_solvers(void)
{
    struct experiment_set heuristics = {0}, anytime = {0}, ties = {0}, native = {0};
    struct experiment_set online = {0};
    struct error error = {""};
    bool right = experiment_add_solvers(&heuristics, "@heuristics", &error) &&
                 experiment_add_solvers(&anytime, "@anytime", &error) &&
                 experiment_add_solvers(&ties, "@ties", &error) &&
                 experiment_add_solvers(&native, "@native", &error) &&
                 experiment_add_solvers(&online, "@online", &error);

    ok(right, "sets of solvers%s", error.text);
    ok(has(&heuristics, "greedy-by-size") && !has(&heuristics, "branch-and-bound") &&
           !has(&heuristics, "exec"),
       "@heuristics");
    for (size_t i = 0; i < anytime.solvers.count; i++)
        right = right && anytime.solvers.item[i].entry->solver->kind == SOLVER_HEURISTIC &&
                !has(&heuristics, anytime.solvers.item[i].label);
    for (size_t i = 0; i < ties.solvers.count; i++)
        right = right && params_text(&ties.solvers.item[i].params, "ties") != NULL;
    for (size_t i = 0; i < native.solvers.count; i++)
        right = right && (native.solvers.item[i].entry->solver->native.size > 1 ||
                          native.solvers.item[i].entry->solver->native.offset > 1);
    ok(right, "@anytime, @ties and @native hold what they say");
    for (size_t i = 0; i < online.solvers.count; i++) {
        const struct contestant *item = &online.solvers.item[i];

        right =
            right && (solver_capabilities(item->entry->solver, &item->params) & SOLVER_ONLINE) != 0;
    }
    ok(right && has(&online, "pytorch-caching") && has(&online, "ggml") && !has(&online, "glow"),
       "@online, what its defaults make of a planner included");
    experiment_set_clear(&online);
    experiment_set_clear(&heuristics);
    experiment_set_clear(&anytime);
    experiment_set_clear(&ties);
    experiment_set_clear(&native);
}

static void reading(void)
{
    struct error error = {""};
    struct experiment *experiment = experiment_parse("tiny.cfg", whole, &error);
    const struct experiment_set *quick, *full;

    if (!ok(experiment != NULL, "a good file is read%s", error.text))
        return;
    quick = &experiment->set[EXPERIMENT_QUICK];
    full = &experiment->set[EXPERIMENT_FULL];
    is_text(experiment->name, "tiny", "name");
    is_text(experiment->title, "Tiny", "title");
    is_text(experiment->description, "", "no description");
    is_text(experiment->figures.text[1], "bound", "figures");
    ok(!experiment->timing, "no timing experiment");
    is_int((int64_t)quick->n_workloads, 4, "workloads, each once");
    is_text(quick->workload[2].label, "uniform:n=5", "the third, as it calls itself");
    is_int((int64_t)quick->skipped.n, 1, "without real inputs one is left out");
    is_text(quick->skipped.text[0], "data:no/such.csv", "this one");
    is_int((int64_t)quick->solvers.count, (int64_t)plain_solvers(), "@all and no solver twice");
    ok(quick->limits.time_s == 2.5 && full->limits.time_s == 10.0,
       "what stands beside the sizes holds where they say nothing else");
    is_int(quick->limits.memory_bytes, INT64_C(64) << 20, "memory limit in MiB");
    is_int(quick->limits.work, 0, "no work limit");
    is_int((int64_t)quick->n_seeds, 1, "one seed");
    is_int(quick->seed[0], 1, "which is 1");
    is_int(quick->repetitions, 1, "one repetition");
    is_int((int64_t)full->n_workloads, 2 * (int64_t)networks() + 1,
           "@networks are all without loops");
    is_int(full->limits.work, 5000000000, "work limit");
    is_int(full->seed[1], UINT32_MAX, "seeds");
    is_int(full->repetitions, 2, "repetitions");
    ok(full->budget_s == 100.5, "budget");
    experiment_free(experiment);
}

/* WHOLE with FROM replaced by TO.  */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(whole, from);

    return memory_printf("%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
}

static void refusals(void)
{
    static const struct {
        const char *from, *to, *want;
    } bad[] = {
        {"title = \"Tiny\";", "title = Tiny;", "tiny.cfg:2: syntax error"},
        {"title = \"Tiny\";\n", "", "tiny.cfg: 'title' is missing"},
        {"title = ", "titel = ", "tiny.cfg:2: unknown setting 'titel' (did you mean 'title'?)"},
        {"\"Tiny\"", "7", "tiny.cfg:2: title: expected a text"},
        {"\"tiny\"", "\"../tiny\"", "tiny.cfg:1: name: expected letters"},
        {"\"bound\"]", "\"bond\"]", "tiny.cfg:3: unknown figure 'bond' (did you mean 'bound'?)"},
        {"[\"gap\", \"bound\"]", "[1, 2]", "tiny.cfg:3: figures: expected a list of texts"},
        {"\"naive\"", "\"naiv\"", "tiny.cfg:4: unknown solver 'naiv' (did you mean 'naive'?)"},
        {"\"naive\"", "\"naive:x=1\"", "tiny.cfg:4: solver naive: unknown parameter 'x'"},
        {"@all", "@every", "tiny.cfg:4: unknown set of solvers '@every'; expected @all"},
        {"2.5", "-1", "tiny.cfg:5: time_limit_s: expected a number from 0"},
        {"2.5", "\"long\"", "tiny.cfg:5: time_limit_s: expected a number"},
        {"quick: {", "quick: { timing = true;", "tiny.cfg:6: unknown setting 'timing'"},
        {"uniform:n={4,5}", "unifrom:n={4,5}", "did you mean 'uniform'?"},
        {"uniform:n={4,5}", "uniform:n={4,5", "tiny.cfg:7: 'uniform:n={4,5,seed={1..2}'"},
        {"\"data:no/such.csv\"", "\"no.such\"", "tiny.cfg:8: unknown network"},
        {"= 64", "= 0", "tiny.cfg:9: memory_limit_mib: expected a whole number from 1"},
        {"= 64", "= 6.4", "tiny.cfg:9: memory_limit_mib: expected a whole number"},
        {"budget_s = 3;", "", "tiny.cfg:6: 'budget_s' is missing"},
        {"full:", "large:", "tiny.cfg:12: unknown setting 'large'"},
        {"(3, 4", "(0, 4", "tiny.cfg:16: seeds: expected a list of whole numbers from 1"},
        {"(3, 4294967295L)", "()", "tiny.cfg:16: seeds: expected a list"},
        {"= 2;", "= 1000000; @x", "tiny.cfg:17: syntax error"},
        {"= 2;", "= 1000001;", "tiny.cfg:17: repetitions: expected a whole number from 1"},
        {"repetitions = 2", "quick = 1", "tiny.cfg:17: unknown setting 'quick'"},
        {"= 2;", "= 1000000;", "tasks: at most 1000000"},
    };
    struct error error = {""};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = changed(bad[i].from, bad[i].to);
        struct experiment *experiment = experiment_parse("tiny.cfg", text, &error);

        ok(experiment == NULL && strstr(error.text, bad[i].want) != NULL, "refused: %s",
           experiment == NULL ? error.text : bad[i].to);
        experiment_free(experiment);
        free(text);
    }
    ok(experiment_parse("empty.cfg", "", &error) == NULL, "an empty file is refused: %s",
       error.text);
    ok(experiment_read("/no/such.cfg", &error) == NULL, "no file: %s", error.text);
    ok(experiment_read("nothing-like-it", &error) == NULL, "no experiment: %s", error.text);
}

/* The project's experiments can be read, are called what their files are
 * called, and their quick sizes fit in the time that the summary promises.  */
static void registered(void)
{
    struct text_list names = {0};
    struct error error = {""};
    double budget = 0.0;

    ok(experiment_names(&names, &error) && names.n > 0, "there are experiments%s", error.text);
    for (size_t i = 0; i < names.n; i++) {
        struct experiment *experiment = experiment_read(names.text[i], &error);
        size_t things[EXPERIMENT_SIZES];

        if (!ok(experiment != NULL, "%s can be read: %s", names.text[i], error.text))
            continue;
        is_text(experiment->name, names.text[i], "its name is its file's");
        ok(experiment->title[0] != '\0' && experiment->description[0] != '\0',
           "it has a title and a description");
        for (int size = 0; size < EXPERIMENT_SIZES; size++)
            things[size] =
                experiment->set[size].n_workloads + experiment->set[size].layers.n_layers;
        ok(things[EXPERIMENT_QUICK] > 0 && things[EXPERIMENT_FULL] >= things[EXPERIMENT_QUICK],
           "its full size is not smaller than its quick one");
        budget += experiment->set[EXPERIMENT_QUICK].budget_s;
        experiment_free(experiment);
    }
    ok(budget > 0 && budget <= 15 * 60, "the quick budgets add up to %.0f s: at most 15 minutes",
       budget);
    text_list_clear(&names);
}

#define CONV_HEAD                                                                     \
    "name = \"k\"; title = \"K\"; kind = \"conv\"; time_limit_s = 1; budget_s = 1;\n" \
    "full: { layers = (\"c=4,h=5,w=5,k=4,r=1,s=1\"); kernels = (\"mgemm\"); };\n"

static void kernels(void)
{
    static const char text[] = CONV_HEAD
        "quick: {\n"
        "    layers = (\"c=4,h=5,w=5,k={4,8},r=1,s=1\", \"squeezenet1_1\", \"depthwise3\",\n"
        "              \"n=1,c=4,h=5,w=5,k=8,r=1,s=1\");\n"
        "    kernels = (\"mgemm:co={1,2}v,wo=3\", \"mgemm:wo=3,co=1v\", \"mgemm:rank={1..2}\",\n"
        "               \"mgemm:co=1v,wo=3\", \"@peers\", \"mgemm:threads=1000\");\n"
        "    isas = (\"generic\");\n"
        "    spread = 0.5; rounds_least = 7; rounds_most = 9;\n"
        "};\n";
    struct error error = {""};
    struct experiment *e = experiment_parse("k.cfg", text, &error);
    const struct experiment_layers *l;
    int64_t uses = 0;
    size_t peers = 0;

    if (!ok(e != NULL, "an experiment of kernels: %s", error.text))
        return;
    l = &e->set[EXPERIMENT_QUICK].layers;
    while (conv_peers[peers].name != NULL)
        peers++;
    for (const struct conv_kernel_entry *k = conv_kernel_registry; k->kernel != NULL; k++) {
        size_t p = 0;

        while (p < peers && strcmp(conv_peers[p].name, k->kernel->name) != 0)
            p++;
        ok(k->kernel->library == (p < peers), "%s is a library or not", k->kernel->name);
    }
    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++)
        ok((peer->absent == NULL) == (conv_kernel_find(peer->name) != NULL),
           "%s is built in, or the reason is known", peer->name);
    is_int(e->kind, EXPERIMENT_CONV, "its kind");
    ok(e->timing, "it runs alone");
    for (size_t i = 0; i < l->n_layers; i++)
        for (size_t k = 0; k < i; k++)
            ok(memcmp(&l->layer[i].shape, &l->layer[k].shape, sizeof l->layer[i].shape) != 0,
               "layers %zu and %zu differ", i, k);
    for (size_t i = 0; i < l->n_uses; i++)
        uses += strcmp(l->use[i].network, "squeezenet1_1") == 0 ? l->use[i].count : 0;
    is_int(uses, 26, "SqueezeNet's convolutions are all counted");
    is_text(l->use[1].network, "single layers", "layers given by themselves");
    is_int(l->use[1].count, 2, "one was given twice");
    is_int((int64_t)l->n_kernels, (int64_t)(5 + peers), "kernels: none twice, all libraries");
    is_text(l->kernel[0].params, "co=1v,wo=3", "parameters stay as they are");
    is_int(l->kernel[3].rank, 1, "the model's choice");
    is_int(l->isas, 1U << ISA_GENERIC, "instruction sets");
    is_int(l->rounds_least, 7, "rounds");
    is_int(e->set[EXPERIMENT_FULL].layers.rounds_most, 21, "rounds by default");
    experiment_free(e);
}

static void bad_kernels(void)
{
    static const struct {
        const char *quick, *want;
    } bad[] = {
        {"layers = (\"c=4\"); kernels = (\"mgemm\");", "k.cfg:3: "},
        {"layers = (\"nonet\"); kernels = (\"mgemm\");", "k.cfg:3: "},
        {"layers = (\"bench15\");", "'kernels' is missing"},
        {"kernels = (\"mgemm\");", "'layers' is missing"},
        {"layers = (\"bench15\"); kernels = (\"mgem\");", "unknown kernel 'mgem'"},
        {"layers = (\"bench15\"); kernels = (\"mgemm:speed=1\");", "speed"},
        {"layers = (\"bench15\"); kernels = (\"mgemm:co=xv\");", "co"},
        {"layers = (\"bench15\"); kernels = (\"mgemm:rank=0\");", "rank=0"},
        {"layers = (\"bench15\"); kernels = (\"mgemm:rank=1,co=8\");", "rank= is for mgemm"},
        {"layers = (\"bench15\"); kernels = (\"mgemm:threads=0\");", "threads=0"},
        {"layers = (\"bench15\"); kernels = (\"mgemm\"); isas = (\"z80\");", "instruction set"},
        {"layers = (\"bench15\"); kernels = (\"mgemm\"); spread = 2;", "spread: expected"},
        {"layers = (\"bench15\"); kernels = (\"mgemm\"); rounds_least = 5;", "rounds_least: "},
    };
    struct error error = {""};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = memory_printf(CONV_HEAD "quick: { %s };\n", bad[i].quick);

        error.text[0] = '\0';
        ok(experiment_parse("k.cfg", text, &error) == NULL &&
               strstr(error.text, bad[i].want) != NULL,
           "%s: %s", bad[i].quick, error.text);
        free(text);
    }
    ok(experiment_parse("k.cfg", "name = \"k\"; title = \"K\"; kind = \"cake\";", &error) == NULL &&
           strstr(error.text, "expected plan, conv, run or fit") != NULL,
       "an unknown kind: %s", error.text);
}

/* Workloads with the workspaces of PEER: those of a library that is not there are left out.  */
static void workspaces_of(const struct conv_peer *peer)
{
    char *text = memory_printf("name = \"w\"; title = \"W\"; time_limit_s = 1; budget_s = 1;\n"
                               "solvers = (\"naive\"); quick: { workloads = "
                               "(\"alexnet:workspace={none,im2col,%s}\"); };\n",
                               peer->name);
    const size_t built = peer->absent == NULL ? 1 : 0;
    struct error error = {""};
    struct experiment *experiment = experiment_parse("w.cfg", text, &error);
    const struct experiment_set *set;

    free(text);
    if (!ok(experiment != NULL, "workspaces of %s%s", peer->name, error.text))
        return;
    set = &experiment->set[EXPERIMENT_QUICK];
    is_int((int64_t)set->n_workloads, (int64_t)(2 + built), "are there if it is built in");
    is_int((int64_t)set->unbuilt.n, (int64_t)(1 - built), "and left out if not");
    ok(set->workload[0].kernels != NULL, "somebody asks kernels");
    experiment_free(experiment);
}

static void workspaces(void)
{
    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++)
        workspaces_of(peer);
}

static void runs(void)
{
    static const char text[] =
        "name = \"r\"; title = \"R\"; kind = \"run\"; time_limit_s = 1; budget_s = 1;\n"
        "solvers = (\"naive\", \"greedy-by-size\");\n"
        "quick: { workloads = (\"squeezenet1_1\"); rounds = 9; all_pairs = false;\n"
        "    kernels = (\"mgemm\", \"mgemm:threads=1\", \"im2col\", \"im2col-openblas\", "
        "\"none\",\n"
        "               \"mgemm:threads=1000\", \"mgemm:groups=on\"); };\n"
        "full: { workloads = (\"resnet{18,50}\"); kernels = (\"none\"); };\n";
    struct error error = {""};
    struct experiment *e = experiment_parse("r.cfg", text, &error);
    const struct experiment_set *quick, *full;

    if (!ok(e != NULL, "an experiment of runs: %s", error.text))
        return;
    quick = &e->set[EXPERIMENT_QUICK];
    full = &e->set[EXPERIMENT_FULL];
    is_int(e->kind, EXPERIMENT_RUN, "its kind");
    ok(e->timing, "it runs alone");
    is_int((int64_t)quick->n_workloads, 1, "a network");
    is_int((int64_t)quick->runs.n_kernels, 4, "four kernels, no two of them one under two names");
    is_text(quick->runs.kernel[1].name, "im2col-openblas", "the beginning of a name will do");
    is_text(quick->runs.kernel[2].name, "none", "and none is one");
    ok(quick->runs.kernel[3].groups && !quick->runs.kernel[0].groups, "threads for groups");
    is_int(quick->runs.rounds, 9, "rounds");
    is_int(full->runs.rounds, 0, "by default as many as fill a second");
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < 3; k++)
            ok(experiment_has_pair(quick, s, k) == (k == 0 || s == 1) &&
                   experiment_has_pair(full, s, k),
               "planner %zu with kernel %zu", s, k);
    experiment_free(e);
}

int main(void)
{
    setenv("ARENABENCH_DATA", "", 1);
    braces();
    kernels();
    bad_kernels();
    runs();
    reading();
    commands();
    short_file();
    sets_of_solvers();
    workspaces();
    refusals();
    registered();
    return tap_done();
}
