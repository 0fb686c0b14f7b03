#include <config.h>

#include "planner/pairs/pairs_certify.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "planner/pairs/pairs_refute.h"

static void write_step(FILE *out, const struct refute_step *step)
{
    static const char *const word[] = {
        [REFUTE_BRANCH] = "branch", [REFUTE_BELOW] = "below",       [REFUTE_ABOVE] = "above",
        [REFUTE_PATH] = "path",     [REFUTE_OVERLOAD] = "overload",
    };

    fputs(word[step->kind], out);
    if (step->kind == REFUTE_OVERLOAD)
        fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64, step->step, step->low, step->high);
    else if (step->kind != REFUTE_PATH)
        fprintf(out, " %zu %zu %" PRId64 " %" PRId64, step->a, step->b, step->low, step->high);
    fputc('\n', out);
}

bool pairs_certify(const struct instance *instance, int64_t peak,
                   const struct refute_limits *limits, FILE *out, struct error *error)
{
    size_t count;
    struct refute_step *step = pairs_refute(instance, peak, limits, &count, error);

    if (step == NULL)
        return false;
    fprintf(out, "%s\ninstance %016" PRIx64 "\ncapacity %" PRId64 "\n", CERTIFICATE_TITLE,
            instance_checksum(instance), peak - 1);
    for (size_t i = 0; i < count; i++)
        write_step(out, &step[i]);
    fputs("end\n", out);
    free(step);
    return true;
}
