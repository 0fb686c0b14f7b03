/* SPDX-License-Identifier: Apache-2.0 */
/* What the buffers that are placed say of the addresses in use, worked out in the plainest
 * way: for the checks of what finds gaps between them (lib/base/check.h).  */
#ifndef ARENABENCH_LIB_PLACE_GAP_CHECK_H
#define ARENABENCH_LIB_PLACE_GAP_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/order.h"
#include "lib/place/address_set.h"

struct buffer;
struct instance;
struct plan;

/* The buffers of KEY[0..count), with their offsets in PLAN.  */
struct gap_placed {
    const struct instance *instance;
    const struct order_key *key;
    size_t count;
    const struct plan *plan;
};

/* Steps FIRST to LAST.  */
struct gap_steps {
    size_t first, last;
};

/* More than any buffer lives at all of.  */
extern const struct gap_steps gap_around_all;

/* GAPS are all those that stay free during the life of BUFFER and are as large.  */
void gap_check_gaps(const struct gap_placed *placed, const struct buffer *buffer,
                    const struct span_list *gaps);

/* TOUCH are the addresses in use by buffers that live at some of STEPS and not at all of the
 * steps AROUND, holes below SMALLEST filled; COVER (NULL: none) those by the buffers among
 * these that live at all of STEPS.  */
void gap_check_sets(const struct gap_placed *placed, struct gap_steps steps,
                    struct gap_steps around, int64_t smallest, const struct address_set *touch,
                    const struct address_set *cover);

#endif
