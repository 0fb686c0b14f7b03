/* verify: judges any plan, from anywhere.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "harness/commands.h"
#include "harness/input.h"
#include "harness/options.h"
#include "lib/error.h"
#include "lib/instance.h"
#include "lib/plan.h"
#include "lib/verify.h"

static int judge(const struct instance *instance, const struct plan *plan)
{
    enum replay_kind kind = REPLAY_NONE;
    struct error error;

    if (!verify_plan(instance, plan, &error) || !verify_replay(instance, plan, &kind, &error)) {
        printf("invalid: %s\n", error.text);
        return STATUS_FAILED;
    }
    printf("valid: peak %" PRId64 ", load %" PRId64 ", replay %s\n", plan->peak, instance->load,
           replay_name(kind));
    return STATUS_DONE;
}

int command_verify(int argc, char **argv)
{
    static const struct option_spec options[] = {{NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    static const struct command_usage usage = {
        "verify",
        "INSTANCE PLAN",
        "Judges a plan (CSV with the columns id and offset; lower, upper and size must agree\n"
        "where they are given).  Exit status 0: valid; 1: refused, the first violation named;\n"
        "2: malformed, or not a plan of this instance.",
        options,
        2,
        2};
    struct instance *instance;
    struct plan *plan;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    instance = input_instance(usage.name, arguments[0]);
    if (instance == NULL)
        return STATUS_USAGE;
    plan = input_plan(usage.name, arguments[1], instance);
    status = plan == NULL ? STATUS_USAGE : judge(instance, plan);
    plan_free(plan);
    instance_free(instance);
    return status;
}
