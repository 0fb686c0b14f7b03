/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/streamed.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/params.h"
#include "lib/lifetimes/loops.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/streams.h"
#include "lib/lifetimes/time_model.h"
#include "workloads/workload.h"

enum { MOST_STREAMS = 1 << 16 };

bool streamed_wanted(const struct params *params)
{
    return strcmp(params_text(params, "streams"), "0") != 0 || params_given(params, "times") ||
           params_given(params, "ahead");
}

static bool count_streams(const struct workload *workload, size_t *count, struct error *error)
{
    const char *text = params_text(&workload->params, "streams");
    int64_t number;

    if (strcmp(text, "0") == 0)
        return error_set(error, "times= and ahead= are for streams=, which is not given");
    *count = STREAMS_BRANCHES;
    if (strcmp(text, "branches") == 0)
        return true;
    if (!parse_int(text, 1, MOST_STREAMS, &number))
        return error_set(error, "streams=%s, expected a whole number up to %d, or branches", text,
                         MOST_STREAMS);
    *count = (size_t)number;
    return true;
}

/* The measured times of NETWORK's operators, which the caller frees; NULL without.  */
static bool read_times(const struct workload *workload, const struct network *network,
                       double **times, struct error *error)
{
    const char *path = params_text(&workload->params, "times");
    FILE *in;

    *times = NULL;
    if (path[0] == '\0')
        return true;
    in = fopen(path, "rb");
    if (in == NULL)
        return error_set(error, "times=%s: %s", path, strerror(errno));
    *times = time_model_read(in, path, network, error);
    fclose(in);
    return *times != NULL;
}

/* Streams bring their own order.  */
static bool check_streams(const struct workload *workload, const struct network *network,
                          struct error *error)
{
    if (network_has_loops(network) || params_given(&workload->params, "order") ||
        params_given(&workload->params, "groups"))
        return error_set(error, "streams= goes neither with loops and branches nor with order= or "
                                "groups=");
    return true;
}

struct instance *streamed_instance(const struct workload *workload, struct network *network,
                                   const struct lifetime_options *lifetimes, struct error *error)
{
    struct instance *instance = NULL;
    double *times = NULL;
    struct stream_wish wish = {.ahead = (size_t)params_int(&workload->params, "ahead")};

    if (check_streams(workload, network, error) && count_streams(workload, &wish.count, error) &&
        read_times(workload, network, &times, error))
        instance = streams_instance(network, wish, times, lifetimes, error);
    else
        network_free(network);
    free(times);
    if (instance == NULL)
        error_prefix(error, "%s", workload->label);
    return instance;
}
