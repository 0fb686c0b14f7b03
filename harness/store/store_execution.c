/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_execution.h"

#include <math.h>

const struct store_execution store_execution_missing = {
    .low_s = NAN,
    .high_s = NAN,
    .serial_s = NAN,
    .modelled_speed_up = NAN,
    .arena_bytes = STORE_NULL,
    .own_bytes = STORE_NULL,
    .stored_bytes = STORE_NULL,
    .packed_bytes = STORE_NULL,
    .scratch_bytes = STORE_NULL,
    .workspace_bytes = STORE_NULL,
    .resident_bytes = STORE_NULL,
    .copied_bytes = STORE_NULL,
    .operators = STORE_NULL,
    .idle = STORE_NULL,
    .on_kernel = STORE_NULL,
    .other_convolutions = STORE_NULL,
    .same_as_plain = STORE_NULL,
};
