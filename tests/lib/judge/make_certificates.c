/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_certificates: writes N instances to files I.csv, for each a certificate and some that were
 * tampered with, I-K.txt, and on standard output a line for each that says what the checker
 * thinks: I.csv or I.csv:fixed=on, I-K.txt, and the bound that it proves, or `refused`.  For
 * check_certificate.sh. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/support/certificates.h"
#include "tests/support/fixed_case.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"

enum { TAMPERED = 8, KINDS = 6 };

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "w+");

    if (file == NULL)
        abort();
    return file;
}

static struct instance *draw(struct rng *rng, int kind)
{
    struct instance *plain, *aligned;

    if (kind == 0)
        return piece_case_random(rng);
    if (kind >= 4)
        return fixed_case_random(rng, kind == 4);
    plain = gadget_and_others(rng, rng_range(rng, 0, 5));
    if (kind != 1)
        return plain;
    aligned = random_alignments(rng, plain);
    instance_free(plain);
    return aligned;
}

/* Certificate K of instance I, which lies in a file.  */
static void write_certificate(const struct instance *instance, int i, int k, const char *text)
{
    char *name = memory_printf("%d-%d.txt", i, k);
    FILE *file = open_file(name);
    struct certificate certificate;
    struct error error = {""};

    fputs(text, file);
    rewind(file);
    printf("%d.csv%s %s ", i, instance->fixed > 0 ? ":fixed=on" : "", name);
    if (certificate_check(file, name, instance, &certificate, &error))
        printf("%" PRId64 "\n", certificate.capacity + 1);
    else
        printf("refused\n");
    fclose(file);
    free(name);
}

/* The head stays as it is, as only one of the two looks at what it is of.  */
static char *tampered_body(const char *text, struct rng *rng)
{
    const char *body = strstr(text, "\ncapacity ") + 1;
    char *other = certificate_tampered(body, rng);
    char *whole = memory_printf("%.*s%s", (int)(body - text), text, other);
    char *summed = certificate_summed(whole);

    free(other);
    free(whole);
    return summed;
}

static void write_instance(const struct instance *instance, int i, struct rng *rng)
{
    struct error error = {""};
    char *name = memory_printf("%d.csv", i);
    FILE *file = open_file(name);
    char *text = certificate_text(instance, run_solver_peak("branch-and-bound", instance), &error);

    instance_csv_write(file, instance);
    fclose(file);
    free(name);
    if (text == NULL)
        abort();
    write_certificate(instance, i, 0, text);
    for (int k = 1; k <= TAMPERED; k++) {
        char *other = tampered_body(text, rng);

        write_certificate(instance, i, k, other);
        free(other);
    }
    free(text);
}

int main(int argc, char **argv)
{
    struct rng *rng = rng_new(31);
    int wanted = argc > 1 ? atoi(argv[1]) : 0;

    for (int i = 0; i < wanted;) {
        struct instance *instance = draw(rng, i % KINDS);

        /* Of those that the file says exactly.  */
        if (instance_csv_widened(instance) == 0)
            write_instance(instance, i++, rng);
        instance_free(instance);
    }
    rng_free(rng);
    return 0;
}
