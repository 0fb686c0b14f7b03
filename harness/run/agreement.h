/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two contestants on random instances: on how many they agree, and the smallest instance
 * on which they do not.  */
#ifndef ARENABENCH_HARNESS_RUN_AGREEMENT_H
#define ARENABENCH_HARNESS_RUN_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/run/duel.h"
#include "harness/run/random_rows.h"

struct instance;

struct agreement {
    /* Filled in by the caller.  */
    struct duel_rules rules; /* its watch is agreement_run's */
    struct random_rows rows;
    int64_t count;             /* instances */
    const struct watch *watch; /* NULL: nobody; looks at what follows, so far */

    int64_t done;
    int64_t tally[DUEL_VERDICTS];
    char refusal[256], cut[256]; /* why, of the first that was refused or cut; "" */

    /* Where they part: of the random instances the one with the fewest buffers and bytes,
     * made smaller as long as they end in the same way; NULL: nowhere.  */
    struct instance *smallest;
    struct duel duel; /* on it */
    int64_t index;    /* which random instance that was, from 0 */
    size_t drawn;     /* buffers that it had */
    bool shrinking;   /* all instances are done */
    bool stopped;     /* the watch has ended it */
};

/* Runs both contestants on all instances, then looks for the smallest.  What the watch ends
 * keeps what there is.  The caller clears it.  */
void agreement_run(struct agreement *agreement);
void agreement_clear(struct agreement *agreement);

#endif
