/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranking of blocking parameters: complete, in order, and its choices run.  */
#include <config.h>

#include <stddef.h>
#include <string.h>

#include "kernels/layer.h"
#include "kernels/model/tune.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

static struct machine invented(enum isa isa)
{
    struct machine machine = machine_known(isa);

    machine.registers = 16;
    machine.fused = isa != ISA_GENERIC;
    machine.fma_s = 0.5e-9;
    machine.latency_s = 2e-9;
    machine.memory_s = 20e-9;
    machine.load_s = 0.25e-9;
    machine.call_s = 2e-9;
    machine.tile_s = 5e-9;
    machine.accumulator_s = 1e-9;
    for (int i = 0; i < MACHINE_SIZES; i++)
        machine.read_s[i] = 1e-11 * (i + 1);
    return machine;
}

static bool in_order(const struct tune_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (predict_compare(&list->choice[i - 1].prediction, &list->choice[i].prediction) > 0)
            return false;
    return true;
}

/* No two the same.  */
static bool all_different(const struct tune_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(list->choice[i].params, list->choice[j].params) == 0)
                return false;
    return true;
}

/* PARAMS say what mgemm takes without any.  */
static bool is_standard(const struct conv_request *request, const char *text)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct conv_choice choice[2];
    struct error error = {""};

    for (int i = 0; i < 2; i++) {
        struct params params;
        struct conv_plan plan;

        if (!params_parse(&params, "mgemm", i == 0 ? "" : text, &kernel->params, 1, &error) ||
            !conv_plan_make(&plan, kernel, request, &params, &error))
            return false;
        choice[i] = plan.choice;
        conv_plan_clear(&plan);
        params_clear(&params);
    }
    return choice[0].co == choice[1].co && choice[0].wo == choice[1].wo &&
           choice[0].ci == choice[1].ci && choice[0].rows == choice[1].rows &&
           choice[0].cco == choice[1].cco && choice[0].cci == choice[1].cci &&
           strcmp(choice[0].wf, choice[1].wf) == 0 && strcmp(choice[0].hfil, choice[1].hfil) == 0 &&
           strcmp(choice[0].order, choice[1].order) == 0;
}

static void test_layer(const char *text, bool tuned)
{
    const struct machine machine = invented(ISA_GENERIC);
    struct conv_request request = {.isa = ISA_GENERIC, .threads = 1};
    struct error error = {""};
    struct tune_list list;
    struct conv_case *test;

    ok(layer_parse(text, &request.shape, &error), "layer %s", text);
    tune_rank(&list, &request, &machine);
    ok((list.count > 0) == tuned, "%zu choices", list.count);
    if (list.count == 0)
        return;
    ok(in_order(&list), "best first");
    ok(all_different(&list), "each once");
    ok(list.standard < list.count && is_standard(&request, list.choice[list.standard].params),
       "what mgemm takes by itself is among them: %s", list.choice[list.standard].params);
    ok(list.choice[0].prediction.tile.spilled == 0, "the first does not spill: %s",
       list.choice[0].params);
    test = conv_case_new(&request.shape, true, 7);
    for (size_t i = 0; i<list.count; i += list.count> 1 ? list.count - 1 : 1)
        if (!ok(conv_case_run(test, conv_kernel_find("mgemm"), list.choice[i].params, ISA_GENERIC,
                              1, &error) == CONV_RIGHT,
                "choice %zu runs: %s", i + 1, list.choice[i].params))
            tap_diag("%s", error.text);
    conv_case_free(test);
    tune_list_free(&list);
}

/* The same settings with inputs kept and with inputs reloaded: what keeps them is
 * ranked as quicker, not as alike.  */
static void test_kept_planes(void)
{
    struct machine machine = invented(ISA_AVX2);
    struct conv_request request = {.isa = ISA_AVX2, .threads = 1};
    const struct tune_choice *kept = NULL, *reloaded = NULL;
    struct error error = {""};
    struct tune_list list;

    if (!isa_available(ISA_AVX2)) {
        tap_skip(1, "no AVX2");
        return;
    }
    machine.load_s = 2.0 * machine.fma_s; /* loads bind where inputs are reloaded */
    ok(layer_parse("c=3,h=20,w=20,k=32,r=3,s=3", &request.shape, &error), "a first layer");
    tune_rank(&list, &request, &machine);
    for (size_t i = 0; i < list.count; i++) {
        const struct tune_choice *choice = &list.choice[i];

        if (strstr(choice->params, "co=32,wo=3,") == NULL ||
            strstr(choice->params, "hfil=inside,rows=1,cco=32,order=co-tile,cci=3") == NULL)
            continue;
        if (strstr(choice->params, "wf=keep") != NULL)
            kept = choice;
        else
            reloaded = choice;
    }
    ok(kept != NULL && reloaded != NULL &&
           kept->prediction.core_s < 0.9 * reloaded->prediction.core_s,
       "a window of inputs is quicker than inputs reloaded");
    tune_list_free(&list);
}

int main(void)
{
    test_layer("c=16,h=14,w=15,k=24,r=3,s=3,pad=1", true);
    test_layer("c=20,h=9,w=9,k=32,r=1,s=1", true);
    test_layer("c=3,h=15,w=17,k=8,r=5,s=5,stride=2,pad=2", true);
    test_layer("c=8,h=9,w=9,k=12,r=3,s=3,groups=2", true);
    test_layer("c=16,h=9,w=9,k=16,r=3,s=3,groups=16", false);
    test_layer("c=20,h=1,w=1,k=24,r=1,s=1", false);
    test_layer("c=3,h=16,w=16,k=8,r=4,s=4,stride=4", false);
    test_kept_planes();
    return tap_done();
}
