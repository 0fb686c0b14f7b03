/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates come from a process under limits: what ends that is a message, never the
 * end of the one that asked.  */
#include <config.h>

#include "harness/cli/certify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/output.h"
#include "harness/io/watch.h"
#include "harness/run/run.h"
#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* What hangs for so long is at fault.  */
enum { PATIENCE_S = 100 };

/* Certifies that no plan of INSTANCE is below PEAK; the text, or NULL with the reason.  */
static FILE *text_of(const struct instance *instance, int64_t peak, const struct run_limits *limits,
                     const struct watch *watch, struct error *error)
{
    const struct output output = {.file = tmpfile(), .path = (char *)"text"};
    bool taken = true;

    *error = (struct error){""};
    if (output.file == NULL)
        abort();
    if (certify(instance, peak, NULL, limits, watch, &output, &taken, error)) {
        rewind(output.file);
        return output.file;
    }
    fclose(output.file);
    return NULL;
}

/* There is none, for a reason that WANT is in.  */
static void refuse(const struct instance *instance, int64_t peak, const struct run_limits *limits,
                   const struct watch *watch, const char *want, const char *what)
{
    struct error error = {""};
    FILE *text = text_of(instance, peak, limits, watch, &error);

    if (!ok(text == NULL && error.text[0] != '\0' && strstr(error.text, want) != NULL, "%s", what))
        tap_diag("it says: %s", error.text);
    if (text != NULL)
        fclose(text);
}

static void test_written(void)
{
    const struct run_limits none = {0};
    struct instance *instance = gap_gadget(1);
    struct certificate certificate;
    struct error error = {""};
    FILE *text = text_of(instance, 5, &none, NULL, &error);

    if (ok(text != NULL, "a certificate %s", error.text)) {
        ok(certificate_check(text, "text", instance, &certificate, &error), "is whole %s",
           error.text);
        is_int(certificate.capacity, 4, "and says what it should");
        fclose(text);
    }
    refuse(instance, 6, &none, NULL, "there is a plan with a lower peak", "of what is not optimal");
    instance_free(instance);
}

/* --- what a solver has proven itself --- */

/* Certifies the best plan of INSTANCE with what SOLVER wrote on the way; *TAKEN: that is it.  The
 * bound that it proves, or -1.  */
static int64_t certified(const struct instance *instance, const char *solver, FILE *proof,
                         bool *taken)
{
    const struct run_limits none = {0};
    const struct output output = {.file = tmpfile(), .path = (char *)"text"};
    struct certificate certificate = {.capacity = -2};
    struct contestant contestant;
    struct run_result result;
    struct error error = {""};

    if (output.file == NULL || proof == NULL || !contestant_parse(&contestant, solver, &error))
        abort();
    contestant.proof = proof;
    run_solver(instance, &contestant, 1, &none, &result);
    if (result.plan == NULL ||
        !certify(instance, result.plan->peak, proof, &none, NULL, &output, taken, &error))
        tap_diag("%s %s", result.reason, error.text);
    rewind(output.file);
    if (!certificate_check(output.file, "text", instance, &certificate, &error)) {
        tap_diag("%s", error.text);
        certificate.capacity = -2;
    }
    fclose(output.file);
    fclose(proof);
    run_result_clear(&result);
    contestant_clear(&contestant);
    return certificate.capacity + 1;
}

static void own_proof(struct instance *instance, const char *solver, int64_t optimum, bool own,
                      const char *what)
{
    bool taken = !own;

    is_int(certified(instance, solver, tmpfile(), &taken), optimum, "%s: the optimum", what);
    is_int(taken, own, "%s: %s", what, own ? "the solver's own proof" : "another search's");
    instance_free(instance);
}

/* Two gadgets in turn, of which the second is larger.  */
static struct instance *two_gadgets(void)
{
    struct instance *instance = instance_new("two");

    add_gadget(instance, 0, 0, 1);
    add_gadget(instance, 1, 7, 3);
    return sealed(instance);
}

/* Pieces with an optimum above the load.  */
static struct instance *pieces(int64_t *optimum)
{
    struct rng *rng = rng_new(5);
    struct instance *instance;

    for (;;) {
        instance = piece_case_random(rng);
        *optimum = piece_case_optimum(instance);
        if (*optimum > instance->load)
            break;
        instance_free(instance);
    }
    rng_free(rng);
    return instance;
}

/* Of instances whose optimum is above the load.  */
struct proofs {
    int above, right, own; /* instances, certificates of the optimum, the solver's own */
};

static void add_proof(struct proofs *proofs, struct instance *instance, int64_t optimum)
{
    bool taken = false;

    if (optimum <= instance->load)
        return;
    proofs->above++;
    proofs->right += certified(instance, "branch-and-bound", tmpfile(), &taken) == optimum;
    proofs->own += taken;
}

/* With fixed offsets, the same by the searches for rectangles and for PIECES.  */
static void test_fixed(bool pieces)
{
    struct rng *rng = rng_new(pieces ? 7 : 6);
    const char *what = pieces ? "fixed pieces" : "fixed rectangles";
    struct proofs proofs = {0};

    while (proofs.above < tap_tier(5, 30)) {
        struct instance *instance = fixed_case_random(rng, pieces);

        add_proof(&proofs, instance, piece_case_optimum(instance));
        instance_free(instance);
    }
    is_int(proofs.right, proofs.above, "%s: the optima, above the load", what);
    is_int(proofs.own, proofs.above, "%s: the solver's own proofs", what);
    rng_free(rng);
}

static void test_own_proofs(void)
{
    int64_t optimum;
    struct instance *shapes = pieces(&optimum), *gadget = gap_gadget(1);
    bool taken = true;
    FILE *other = tmpfile();

    own_proof(gap_gadget(1), "branch-and-bound", 5, true, "the gadget");
    own_proof(gap_gadget(6), "branch-and-bound", 30, true, "unit 6");
    own_proof(two_gadgets(), "branch-and-bound", 15, true, "parts");
    own_proof(shapes, "branch-and-bound", optimum, true, "pieces");
    own_proof(gap_gadget(1), "branch-and-bound:disjunctive=off", 5, false, "nothing to log");
    own_proof(gap_gadget(1), "glpk", 5, false, "another solver");
    if (other == NULL)
        abort();
    fputs(CERTIFICATE_TITLE "\nno certificate\n", other);
    is_int(certified(gadget, "branch-and-bound:disjunctive=off", other, &taken), 5,
           "what is no certificate");
    ok(!taken, "is not taken for one");
    instance_free(gadget);
}

/* Capacities are asked about in steps, some of them in vain: the proof of the last bound is there
 * all the same.  */
static void test_many_capacities(void)
{
    struct proofs proofs = {0};

    for (int seed = 1; seed <= tap_tier(10, 40); seed++) {
        char *spec = memory_printf("tight:steps=24,cap=100,longest=9,seed=%d", seed);
        struct instance *instance = instance_of(spec);

        add_proof(&proofs, instance, run_solver_peak("branch-and-bound", instance));
        instance_free(instance);
        free(spec);
    }
    ok(proofs.above > 3, "%d tight instances", proofs.above);
    is_int(proofs.right, proofs.above, "with certificates");
    is_int(proofs.own, proofs.above, "of the solver's own");
}

/* Hard ones, whose optima are known (tight/optima.csv, but for tf_0, which was open there).  */
static void test_real(void)
{
    static const struct {
        const char *file;
        int64_t optimum;
    } real[] = {{"tight/ta_0.csv", 104}, {"tight/tb_4.csv", 106}, {"tight/tc_3.csv", 216},
                {"tight/te_0.csv", 106}, {"tight/te_1.csv", 105}, {"tight/te_2.csv", 106},
                {"tight/te_3.csv", 103}, {"tight/tf_0.csv", 314}, {"tight/tf_1.csv", 308},
                {"tight/tf_3.csv", 312}};

    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        char *path;

        if (tap_skip_without(2, real[i].file))
            continue;
        path = memory_printf("%s/%s", tap_data(), real[i].file);
        own_proof(instance_of(path), "branch-and-bound", real[i].optimum, true, real[i].file);
        free(path);
    }
}

static bool refuse_to_wait(void *context)
{
    (void)context;
    return false;
}

/* More overlaps than a search over them looks through in a second, or has memory for.  */
static void test_limits(void)
{
    const struct run_limits quick = {.time_s = 0.1}, small = {.memory_bytes = 16 << 20}, none = {0};
    const struct watch watch = {refuse_to_wait, NULL, 1.0, -1};
    struct instance *large = instance_of("uniform:n=3200");
    const int64_t peak = large->load + large->load / 50;

    refuse(large, peak, &quick, NULL, "", "without time there is none");
#ifdef WITH_SANITIZERS
    (void)small;
    tap_skip(1, "sanitizers need all addresses");
#else
    refuse(large, peak, &small, NULL, "out of memory", "nor without memory");
#endif
    refuse(large, peak, &none, &watch, "interrupted", "nor where nobody waits for it");
    instance_free(large);
}

static void test_crash(void)
{
    const struct run_limits none = {0};
    struct instance *instance = gap_gadget(1);
    struct instance broken = *instance;

    broken.buffer = NULL;
    broken.piece = NULL;
#ifdef WITH_SANITIZERS
    refuse(&broken, 5, &none, NULL, "exited with status", "a crash is a reason");
#else
    refuse(&broken, 5, &none, NULL, "killed by signal 11", "a crash is a reason");
#endif
    instance_free(instance);
}

int main(void)
{
    alarm(PATIENCE_S);
    test_written();
    test_own_proofs();
    test_fixed(false);
    test_fixed(true);
    test_many_capacities();
    test_real();
    test_limits();
    test_crash();
    return tap_done();
}
