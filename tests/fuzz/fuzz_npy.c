/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an array of NumPy's: refused with a message that begins with the file, or an array
 * that is written again as a file that says the same.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/io/npy.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct npy npy, again;
    char *text = NULL;
    size_t length;
    FILE *out;

    if (!npy_unpack(&npy, data, size, "fuzz.npy", &error)) {
        must(refused_at(&error, "fuzz.npy: "));
        return 0;
    }
    out = memory_stream(&text, &length);
    npy_write(out, &npy);
    memory_stream_close(out);
    must(npy_unpack(&again, text, length, "fuzz.npy", &error) && again.dtype == npy.dtype &&
         again.rank == npy.rank && again.bytes == npy.bytes &&
         memcmp(again.dim, npy.dim, (size_t)npy.rank * sizeof npy.dim[0]) == 0 &&
         (npy.bytes == 0 || memcmp(again.data, npy.data, npy.bytes) == 0));
    free(text);
    return 0;
}
