/* Certificates: those of random instances are accepted, one byte more is refused, and
 * whatever is done to their text, nothing that is not true is believed.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "planner/pairs/pairs_certify.h"
#include "planner/pairs/pairs_refute.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1000000 };

/* The certificate that no plan is below PEAK; NULL where there is one.  */
static char *certificate_of(const struct instance *instance, int64_t peak, struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory_stream(&text, &length);
    const struct refute_limits limits = {MANY_NODES, INFINITY};
    bool done = pairs_certify(instance, peak, &limits, out, error);

    memory_stream_close(out);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* The bound that TEXT proves of INSTANCE; -1: it is refused.  */
static int64_t proven(const struct instance *instance, const char *text, struct error *error)
{
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    struct certificate certificate;
    bool good = in != NULL && certificate_check(in, "text", instance, &certificate, error);

    if (in != NULL)
        fclose(in);
    return good ? certificate.capacity + 1 : -1;
}

/* --- by hand --- */

/* Load 4, optimum 5 (workloads/generators/gadget.c).  */
static struct instance *gadget(void)
{
    static const int64_t row[][3] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                     {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
    struct instance *instance = instance_new("gadget");

    for (size_t i = 0; i < 7; i++) {
        char id[8];

        snprintf(id, sizeof id, "b%zu", i);
        instance_add(instance, id, row[i][0], row[i][1], row[i][2], 1);
    }
    return sealed(instance);
}

/* Checks the lines BODY under a head for CAPACITY.  */
static int64_t judge(const struct instance *instance, int64_t capacity, const char *body,
                     struct error *error)
{
    char *text =
        memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64 "\ncapacity %" PRId64 "\n%s",
                      instance_checksum(instance), capacity, body);
    int64_t bound = proven(instance, text, error);

    free(text);
    return bound;
}

static void refused(const struct instance *instance, int64_t capacity, const char *body,
                    const char *why)
{
    struct error error = {""};
    int64_t bound = judge(instance, capacity, body, &error);

    ok(bound < 0 && strstr(error.text, why) != NULL, "refused: %s", error.text);
}

static void by_hand(void)
{
    struct instance *g = gadget();
    struct error error = {""};

    is_int(judge(g, 3, "overload 0 0 3\nend\n", &error), 4, "the load is a bound");
    is_int(judge(g, 1, "path\nend\n", &error), 2, "and so is a size");
    refused(g, 4, "overload 0 0 4\nend\n", "not more than there is room for");
    refused(g, 4, "path\nend\n", "does not contradict itself");
    refused(g, 4, "branch 0 1 -2 2\noverload 0 0 4\nend\n", "not more than");
    refused(g, 3, "branch 0 1 -2 2\noverload 0 0 3\nend\n", "expected branch");
    refused(g, 3, "branch 0 1 -2 2\noverload 0 0 3\n", "the certificate ends");
    refused(g, 3, "branch 0 1 -3 2\n", "forbid");
    refused(g, 3, "branch 0 6 -2 2\n", "forbid");
    refused(g, 4, "above 0 1 -2 2\n", "does not contradict what is known");
    refused(g, 4, "below 0 1 -2 2\n", "does not contradict what is known");
    refused(g, 3, "branch 0 7 -2 2\n", "two buffers");
    refused(g, 3, "branch 0 0 -2 2\n", "two buffers");
    refused(g, 3, "branch 0 1 2 -2\n", "LOW below HIGH");
    refused(g, 3, "branch 0 1 -2 9223372036854775808\n", "expected branch");
    refused(g, 3, "branch 0 1 -2\n", "expected branch");
    refused(g, 3, "overload 0 0 4\nend\n", "the capacity");
    refused(g, 3, "overload 0 0 3 \nend\n", "expected branch");
    refused(g, 3, "overload 0 0 3\nend\n\n", "nothing after it");
    refused(g, 3, "overload 0 0 3\nend", "that ends");
    refused(g, -1, "path\nend\n", "a number of bytes");
    ok(proven(g, "arenabench certificate 2\n", &error) < 0, "another version: %s", error.text);
    ok(proven(g, CERTIFICATE_TITLE "\ninstance 0000000000000000\n", &error) < 0 &&
           strstr(error.text, "not of this instance") != NULL,
       "another instance");
    instance_free(g);
}

/* --- random ones --- */

/* Lines that end a case.  */
static size_t count_cases(const char *text)
{
    size_t cases = 0;

    for (; text != NULL; text = strchr(text, '\n')) {
        text += *text == '\n';
        cases += strncmp(text, "path", 4) == 0 || strncmp(text, "overload", 8) == 0;
    }
    return cases;
}

/* A change to one byte, one number or one line of TEXT; the caller frees it.  */
static char *tampered(const char *text, struct rng *rng)
{
    size_t length = strlen(text);
    char *copy = memory_alloc(length + 2, 1);
    size_t at = (size_t)rng_range(rng, 0, (int64_t)length - 1);

    memcpy(copy, text, length + 1);
    if (rng_range(rng, 0, 2) == 0) { /* a line goes */
        char *begin = copy + at, *end;

        while (begin > copy && begin[-1] != '\n')
            begin--;
        end = strchr(begin, '\n');
        if (end != NULL)
            memmove(begin, end + 1, strlen(end + 1) + 1);
        return copy;
    }
    for (size_t tries = 0; tries < length && (copy[at] < '0' || copy[at] > '9'); tries++)
        at = (at + 1) % length;
    copy[at] = (char)('0' + rng_range(rng, 0, 9));
    return copy;
}

struct tally {
    int rounds, accepted, above, one_more, tampered, believed, lies;
};

static void try_instance(const struct instance *instance, int64_t optimum, struct rng *rng,
                         struct tally *tally)
{
    struct error error = {""};
    char *text = certificate_of(instance, optimum, &error);

    tally->rounds++;
    tally->above += optimum > instance->load;
    tally->accepted += text != NULL && proven(instance, text, &error) == optimum;
    if (text == NULL || proven(instance, text, &error) != optimum)
        tap_diag("%s", error.text);
    tally->one_more += certificate_of(instance, optimum + 1, &error) == NULL;
    for (int i = 0; i < 20 && text != NULL; i++) {
        char *copy = tampered(text, rng);
        int64_t bound = proven(instance, copy, &error);

        tally->tampered++;
        tally->believed += bound >= 0;
        tally->lies += bound > optimum;
        free(copy);
    }
    free(text);
}

static void report(const struct tally *tally, const char *what)
{
    is_int(tally->accepted, tally->rounds, "%s: the certificate of the optimum is accepted", what);
    ok(tally->above > 0, "%d optima are above the load", tally->above);
    is_int(tally->one_more, tally->rounds, "there is none of one byte more");
    is_int(tally->lies, 0, "%d of %d tampered ones still prove something, but nothing untrue",
           tally->believed, tally->tampered);
}

static void of_pieces(void)
{
    struct rng *rng = rng_new(81);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(200, 1500); round++) {
        struct instance *instance = piece_case_random(rng);

        try_instance(instance, piece_case_optimum(instance), rng, &tally);
        instance_free(instance);
    }
    report(&tally, "pieces");
    rng_free(rng);
}

/* Few steps, sizes with a common factor, some alignments that do not divide them, some with a
 * buffer that is far larger than all others: circles of orders climb slowly beside it.  */
static void of_rectangles(void)
{
    struct rng *rng = rng_new(82);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(150, 1000); round++) {
        struct instance *instance = instance_new("rectangles");
        size_t n = (size_t)rng_range(rng, 2, 7);
        int64_t unit = rng_range(rng, 0, 1) == 0 ? 1 : 6;

        for (size_t b = 0; b < n; b++) {
            int64_t begin = rng_range(rng, 0, 5);
            char id[24];

            snprintf(id, sizeof id, "b%zu", b);
            instance_add(instance, id, begin, rng_range(rng, begin + 1, 6),
                         unit * rng_range(rng, 1, 7),
                         rng_range(rng, 1, 3) == 1 ? rng_range(rng, 1, 4) : 1);
        }
        if (round % 4 == 0)
            instance_add(instance, "large", 0, 6, 120000000, 1);
        sealed(instance);
        try_instance(instance, brute_force_optimum(instance), rng, &tally);
        instance_free(instance);
    }
    report(&tally, "rectangles");
    rng_free(rng);
}

/* Optima above the load that take many choices.  With what no case needed left in, there are
 * more than 1600 cases.  */
static void of_tight(void)
{
    size_t cases = 0;
    int above = 0, accepted = 0;

    for (int seed = 1; seed <= 20; seed++) {
        char *spec = memory_printf("tight:seed=%d", seed);
        struct instance *instance = instance_of(spec);
        int64_t optimum = run_solver_peak("branch-and-bound", instance);
        struct error error = {""};
        char *text = certificate_of(instance, optimum, &error);

        if (optimum > instance->load) {
            above++;
            accepted += text != NULL && proven(instance, text, &error) == optimum;
            cases += text != NULL ? count_cases(text) : 0;
        }
        free(text);
        instance_free(instance);
        free(spec);
    }
    ok(above > 5, "tight instances: %d optima above the load", above);
    is_int(accepted, above, "their certificates are accepted");
    ok(cases < 400, "and leave out what no case needs: %zu cases", cases);
}

int main(void)
{
    by_hand();
    of_pieces();
    of_rectangles();
    of_tight();
    return tap_done();
}
