/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a tensor in a file of its own: refused with a message that begins with the file, or
 * a tensor with all its elements.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/bytes.h"
#include "workloads/readers/onnx/tensor_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct tensor_file tensor;
    int64_t elements = 1;

    if (!tensor_file_unpack(&tensor, data, size, "fuzz.pb", &error)) {
        must(refused_at(&error, "fuzz.pb: "));
        return 0;
    }
    /* Beside a 0 other dimensions may have a product that fits nowhere.  */
    for (int i = 0; i < tensor.rank; i++)
        elements = tensor.dim[i] == 0 ? 0 : elements;
    for (int i = 0; elements > 0 && i < tensor.rank; i++)
        elements *= tensor.dim[i];
    must(tensor.elements->bytes == (size_t)elements * dtype_size(tensor.dtype));
    tensor_file_clear(&tensor);
    return 0;
}
