/* SPDX-License-Identifier: Apache-2.0 */
/* Where a search that writes certificates (lib/judge/certificate.h) writes them: the planner itself
 * opens no files.  One certificate stands behind the other; the last one can be taken back.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PROOF_SINK_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PROOF_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/judge/certificate_words.h"

struct proof_sink {
    void *context;
    int64_t (*place)(void *context);           /* where the next line will stand */
    bool (*cut)(void *context, int64_t place); /* takes back all behind PLACE; false: it can't */
    void (*begin)(void *context, const struct certificate_scope *scope);
    void (*line)(void *context, enum certificate_word word, const int64_t *number, size_t count);
    void (*end)(void *context);
};

#endif
