/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contestants: `name:key=value,...` against the registry of solvers.  */
#include <config.h>

#include <math.h>
#include <string.h>

#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "lib/base/params.h"
#include "solvers/solver.h"
#include "tests/support/tap.h"

static void refused(const char *spec, const char *word)
{
    struct contestant contestant;
    struct error error = {""};

    ok(!contestant_parse(&contestant, spec, &error), "'%s' is refused", spec);
    ok(strstr(error.text, word) != NULL, "naming %s: %s", word, error.text);
}

static void names(void)
{
    static const char *const specs[] = {"naive", "naive:"};
    struct contestant contestant;
    struct error error = {""};

    for (size_t i = 0; i < 2; i++) {
        if (!ok(contestant_parse(&contestant, specs[i], &error), "%s %s", specs[i], error.text))
            continue;
        is_text(contestant.label, "naive", "no parameters: the label is the name");
        ok(contestant.entry == solver_find("naive"), "the registry's row");
        contestant_clear(&contestant);
    }
    refused("niave", "did you mean 'naive'");
    refused("something-else-entirely", "something-else-entirely");
    refused("", "unknown solver ''");
    refused("naive:choice=last", "'choice'");
    refused("naive:choice", "key=value");
}

/* Every solver of the registry can be named, and its label names it again.  */
static void registry(void)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        struct contestant contestant, again;
        struct error error = {""};

        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) != 0) {
            refused(entry->solver->name, "after a colon");
            continue;
        }
        if (!ok(contestant_parse(&contestant, entry->solver->name, &error), "%s is a contestant %s",
                entry->solver->name, error.text))
            continue;
        if (ok(contestant_parse(&again, contestant.label, &error), "%s again %s", contestant.label,
               error.text)) {
            is_text(again.label, contestant.label, "the same label");
            contestant_clear(&again);
        }
        contestant_clear(&contestant);
    }
}

/* SPEC is a contestant with this label, and so is the label.  */
static void check_command(const char *spec, const char *label, const char *command)
{
    const char *const texts[] = {spec, label};

    for (size_t i = 0; i < 2; i++) {
        struct contestant contestant;
        struct error error = {""};

        if (!ok(contestant_parse(&contestant, texts[i], &error), "%s %s", texts[i], error.text))
            continue;
        is_text(contestant.label, label, "the label");
        is_text(params_text(&contestant.params, "command"), command, "the command");
        contestant_clear(&contestant);
    }
}

static void raw(void)
{
    static const struct param table[] = {
        {.name = "command", .type = PARAM_TEXT, .help = "a command"}, PARAM_END};
    struct error error = {""};
    struct params params;

    if (ok(params_raw(&params, "test", table, "a=1,b=2,,:c", &error), "raw %s", error.text)) {
        is_text(params_text(&params, "command"), "a=1,b=2,,:c", "commas and all");
        params_clear(&params);
    }
    if (solver_find("exec") == NULL) {
        tap_skip(40, "no solver of this kind is registered");
        return;
    }
    check_command("exec:cut -d, -f1", "exec:cut -d, -f1", "cut -d, -f1");
    check_command("exec:command=x; $command", "exec:command=x; $command", "command=x; $command");
    check_command("exec:identity=v2,command=a=1,b c", "exec:identity=v2,command=a=1,b c",
                  "a=1,b c");
    check_command("exec:identity=,command=true", "exec:true", "true");
    check_command("exec:identity=,command=identity=1 x", "exec:identity=,command=identity=1 x",
                  "identity=1 x");
    check_command("exec:shapes=on,seeded=on,command=a", "exec:shapes=on,seeded=on,command=a", "a");
    check_command("exec:seeded=off,command=a", "exec:a", "a");
    refused("exec:", "command after a colon");
    refused("exec:shapes=yes,command=a", "off|on");
    refused("exec:identity=v2,command=", "command after a colon");
    refused("exec:identity=v2", "',command='");
    refused("exec:identity=v2,python3 plan.py", "'python3 plan.py'");
    refused("exec:identity=v2,identity=v3,command=true", "twice");
}

/* Whether SPEC takes a seed, and what it can do with pieces.  */
static void check_gains(const char *spec, bool seed, bool shapes)
{
    struct contestant contestant;
    struct error error = {""};

    if (!ok(contestant_parse(&contestant, spec, &error), "%s %s", spec, error.text))
        return;
    is_int(contestant_takes_seed(&contestant), seed, "%s: takes a seed", spec);
    is_int((solver_capabilities(contestant.entry->solver, &contestant.params) & SOLVER_SHAPES) != 0,
           shapes, "%s: takes pieces", spec);
    contestant_clear(&contestant);
}

static void gains(void)
{
    check_gains("naive", false, true);
    check_gains("greedy-by-size", false, false);
    check_gains("greedy-by-size:ties=shuffle", true, false);
    check_gains("annealing", true, false);
    if (solver_find("exec") == NULL)
        return;
    check_gains("exec:true", false, false);
    check_gains("exec:seeded=on,command=true", true, false);
    check_gains("exec:shapes=on,command=true", false, true);
}

/* TEXT is COUNT contestants with these labels.  */
static void check_list(const char *text, size_t count, const char *const *labels)
{
    struct contestants contestants = {0};
    struct error error = {""};

    if (!ok(contestants_add_list(&contestants, text, &error), "%s %s", text, error.text)) {
        contestants_clear(&contestants);
        return;
    }
    if (is_int((int64_t)contestants.count, (int64_t)count, "%zu contestants", count))
        for (size_t i = 0; i < count; i++)
            is_text(contestants.item[i].label, labels[i], "number %zu", i);
    contestants_clear(&contestants);
}

static void list_refused(const char *text, const char *word)
{
    struct contestants contestants = {0};
    struct error error = {""};

    ok(!contestants_add_list(&contestants, text, &error) && strstr(error.text, word) != NULL,
       "'%s' is refused, naming %s: %s", text, word, error.text);
    contestants_clear(&contestants);
}

static void lists(void)
{
    check_list("naive", 1, (const char *const[]){"naive"});
    check_list("naive,path-cover,naive", 2, (const char *const[]){"naive", "path-cover"});
    check_list("path-cover:choice=last,naive", 2,
               (const char *const[]){"path-cover:choice=last", "naive"});
    check_list("naive,path-cover:choice=last", 2,
               (const char *const[]){"naive", "path-cover:choice=last"});
    check_list("path-cover:choice={first,last},naive", 3,
               (const char *const[]){"path-cover", "path-cover:choice=last", "naive"});
    if (solver_find("exec") != NULL) {
        check_list("naive,exec:A=1,naive,b:c=2", 2,
                   (const char *const[]){"naive", "exec:A=1,naive,b:c=2"});
        check_list("exec:a=x 'b,c' \"d,\\\",\" e\\,f,naive,exec:g=h,exec:i,j", 4,
                   (const char *const[]){"exec:a", "naive", "exec:g", "exec:i,j"});
    }
    if (solver_find("exec") != NULL)
        check_list("naive,exec:identity=v2,command=a,naive", 2,
                   (const char *const[]){"naive", "exec:identity=v2,command=a,naive"});
    list_refused("path-cover:choice=last,choice=first", "twice");
    list_refused("naive,choice=last", "'choice=last'");
    list_refused("naive,", "unknown solver ''");
    list_refused("@heuristic", "'@heuristics'");
    list_refused("exec:a=x,exec:a=y", "two commands with the name 'exec:a'");
}

static void sets(void)
{
    struct contestants contestants = {0};
    struct error error = {""};
    size_t all, kept = 0;

    ok(contestants_add_list(&contestants, "@all", &error) && contestants.count > 0,
       "there are solvers");
    all = contestants.count;
    for (size_t i = 0; i < all; i++)
        ok((contestants.item[i].entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0,
           "%s needs no command", contestants.item[i].label);
    ok(contestants_add_list(&contestants, "@heuristics@200ms,naive,path-cover@2min", &error) &&
           contestants.count == all,
       "who is there is not added again");
    for (size_t i = 0; i < all; i++) {
        const struct contestant *item = &contestants.item[i];
        double want = strcmp(item->label, "path-cover") == 0 ? 120.0
                      : item->entry->solver->kind == SOLVER_HEURISTIC &&
                              (item->entry->solver->capabilities & SOLVER_ANYTIME) == 0
                          ? 0.2
                          : 0.0;

        kept += fabs(item->time_s - want) < 1e-9;
    }
    is_int((int64_t)kept, (int64_t)all, "but takes the limit that is stated last");
    contestants_clear(&contestants);
}

static void limits(void)
{
    static const struct {
        const char *spec, *label;
        double seconds;
    } row[] = {
        {"naive@5s", "naive", 5.0},
        {"naive@0.5s", "naive", 0.5},
        {"path-cover@250ms:choice=last", "path-cover:choice=last", 0.25},
        {"exec@2min:true @ 5s", "exec:true @ 5s", 120.0},
        {"naive", "naive", 0.0},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct contestant contestant;
        struct error error = {""};

        if (!ok(contestant_parse(&contestant, row[i].spec, &error), "%s %s", row[i].spec,
                error.text))
            continue;
        is_text(contestant.label, row[i].label, "the label has no limit");
        ok(fabs(contestant.time_s - row[i].seconds) < 1e-9, "%g s", row[i].seconds);
        contestant_clear(&contestant);
    }
    refused("naive@", "naive@: expected a time limit");
    refused("naive@5", "@5s");
    refused("naive@0s", "naive@0s");
    refused("naive@-1s", "@-1s");
    refused("naive@5 s", "@5 s");
    refused("naive@5d", "@5d");
    refused("naive:@5s", "key=value");
}

/* A command with a name: what people see is the name, what tells it from others is all.  */
static void named(void)
{
    static const char *const specs[] = {"exec:mine=plan --x a,b",
                                        "exec:name=mine,command=plan --x a,b"};

    for (size_t i = 0; i < 2; i++) {
        struct contestant contestant;
        struct error error = {""};

        if (!ok(contestant_parse(&contestant, specs[i], &error), "%s %s", specs[i], error.text))
            continue;
        is_text(contestant.label, "exec:mine", "the label");
        is_text(contestant.name, "exec:mine", "the name");
        is_text(contestant.spec, specs[1], "the spec");
        is_text(params_raw_value(&contestant.params), "plan --x a,b", "the command");
        contestant_clear(&contestant);
    }
    check_command("exec:name=,command=a=b c", "exec:name=,command=a=b c", "a=b c");
    check_command("exec:OMP_NUM_THREADS=1 plan", "exec:OMP_NUM_THREADS=1 plan",
                  "OMP_NUM_THREADS=1 plan");
    refused("exec:name=My plan,command=x", "'My plan'");
    refused("exec:mine=", "command after a colon");
}

int main(void)
{
    names();
    lists();
    sets();
    limits();
    if (solver_find("exec") != NULL)
        named();
    registry();
    raw();
    gains();
    return tap_done();
}
