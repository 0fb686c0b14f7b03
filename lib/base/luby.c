/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/luby.h"

int64_t luby(uint64_t i)
{
    uint64_t power = 1;

    while (power < i + 1)
        power *= 2;
    while (power != i + 1) {
        power /= 2;
        if (i >= power)
            i -= power - 1;
    }
    return (int64_t)(power / 2);
}
