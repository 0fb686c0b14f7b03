/* Contestants: `name:key=value,...` against the registry of solvers.  */
#include <config.h>

#include <stdlib.h>
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
    refused("exec:", "command after a colon");
    refused("exec:identity=v2,command=", "command after a colon");
    refused("exec:identity=v2", "',command='");
    refused("exec:identity=v2,python3 plan.py", "'python3 plan.py'");
    refused("exec:identity=v2,identity=v3,command=true", "twice");
}

/* TEXT is COUNT contestants with these labels.  */
static void check_list(const char *text, size_t count, const char *const *labels)
{
    struct contestants contestants;
    struct error error = {""};

    if (!ok(contestants_parse(&contestants, text, &error), "%s %s", text, error.text))
        return;
    if (is_int((int64_t)contestants.count, (int64_t)count, "%zu contestants", count))
        for (size_t i = 0; i < count; i++)
            is_text(contestants.item[i].label, labels[i], "number %zu", i);
    contestants_clear(&contestants);
}

static void lists(void)
{
    struct contestants contestants;
    struct error error = {""};

    check_list("naive", 1, (const char *const[]){"naive"});
    check_list("naive,path-cover,naive", 3, (const char *const[]){"naive", "path-cover", "naive"});
    check_list("path-cover:choice=last,naive", 2,
               (const char *const[]){"path-cover:choice=last", "naive"});
    check_list("naive,path-cover:choice=last", 2,
               (const char *const[]){"naive", "path-cover:choice=last"});
    if (solver_find("exec") != NULL)
        check_list("naive,exec:a=1,naive,b:c=2", 2,
                   (const char *const[]){"naive", "exec:a=1,naive,b:c=2"});
    if (solver_find("exec") != NULL)
        check_list("naive,exec:identity=v2,command=a,naive", 2,
                   (const char *const[]){"naive", "exec:identity=v2,command=a,naive"});
    ok(!contestants_parse(&contestants, "path-cover:choice=last,choice=first", &error) &&
           strstr(error.text, "twice") != NULL,
       "the comma goes on with the parameters: %s", error.text);
    ok(!contestants_parse(&contestants, "naive,choice=last", &error) &&
           strstr(error.text, "'choice=last'") != NULL,
       "but not without a colon: %s", error.text);
    ok(!contestants_parse(&contestants, "naive,", &error), "nothing after a comma");
    contestants_all(&contestants);
    ok(contestants.count > 0, "there are solvers");
    for (size_t i = 0; i < contestants.count; i++)
        ok((contestants.item[i].entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0,
           "%s needs no command", contestants.item[i].label);
    contestants_clear(&contestants);
}

int main(void)
{
    names();
    lists();
    registry();
    raw();
    return tap_done();
}
