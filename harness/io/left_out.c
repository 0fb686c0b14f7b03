/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/left_out.h"

#include <stdio.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/base/memory.h"

/* Rows of conv_peers that one library makes stand together.  */
static void add_peers(FILE *out, const char **separator)
{
    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++) {
        const struct conv_peer *next = peer + 1;

        if (peer->absent == NULL)
            continue;
        fprintf(out, "%s%s", *separator, peer->name);
        *separator = "; ";
        if (next->name != NULL && strcmp(next->library, peer->library) == 0)
            *separator = ", ";
        else
            fprintf(out, " (%s)", peer->absent);
    }
}

char *left_out(void)
{
    static const char *const onnx_absent = ONNX_ABSENT;
    static const char *const jansson_absent = JANSSON_ABSENT;
    const char *separator = "";
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    add_peers(out, &separator);
    if (onnx_absent != NULL) {
        fprintf(out, "%sONNX files (%s)", separator, onnx_absent);
        separator = "; ";
    }
    if (jansson_absent != NULL)
        fprintf(out, "%sproblems as JSON (%s)", separator, jansson_absent);
    memory_stream_close(out);
    return text;
}
