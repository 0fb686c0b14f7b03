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
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* What hangs for so long is at fault.  */
enum { PATIENCE_S = 100 };

/* Certifies that no plan of INSTANCE is below PEAK; the text, or NULL with the reason.  */
static FILE *text_of(const struct instance *instance, int64_t peak, const struct run_limits *limits,
                     const struct watch *watch, struct error *error)
{
    const struct output output = {tmpfile(), (char *)"text", NULL};

    *error = (struct error){""};
    if (output.file == NULL)
        abort();
    if (certify(instance, peak, limits, watch, &output, error)) {
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
    struct error error;
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
    struct error error;
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
    test_limits();
    test_crash();
    return tap_done();
}
