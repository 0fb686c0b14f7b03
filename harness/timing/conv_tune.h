/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mgemm's parameters for a layer: from the predictor alone, from the best of
 * its list measured, or from all of it.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_TUNE_H
#define ARENABENCH_HARNESS_TIMING_CONV_TUNE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/timing/conv_bench.h"
#include "lib/base/error.h"

enum conv_tune_mode {
    CONV_TUNE_NONE,
    CONV_TUNE_MODEL, /* the predictor's first */
    CONV_TUNE_TOP,   /* the best of the predictor's first few */
    CONV_TUNE_SWEEP, /* the best of all */
};

/* `model`, `top`, `top:K` or `sweep`; top is top:8.  False with a message.  */
bool conv_tune_parse(const char *text, enum conv_tune_mode *mode, int64_t *top,
                     struct error *error);
const char *conv_tune_name(enum conv_tune_mode mode);

/* Keeps the constants of each instruction set once they are measured, and
 * sessions of its own: hundreds of settings are compared with the reference in
 * a few places only.  */
struct conv_tuner;

struct conv_tuner *conv_tuner_new(double patience_s);
/* As conv_sessions_watch.  */
void conv_tuner_watch(struct conv_tuner *tuner, const struct watch *watch,
                      struct conv_moment *moment);
void conv_tuner_free(struct conv_tuner *tuner);

struct conv_tuned {
    char *params; /* what was chosen, owned; NULL: there is nothing to choose */
    double predicted_s;
    size_t settings; /* that can be planned */
    size_t timed;    /* of them; 0 with the model alone */
    /* By how much the best that was timed is faster than the predictor's first,
     * both timed in the same rounds, found in one half of them and judged by the
     * other; < 0: unknown.  */
    double model_regret;
    size_t failed; /* settings that were wrong, crashed or hung; ERROR has the first */
    double spent_s;
};

/* For CONTESTANT, an mgemm, on SHAPE.  Settings are timed in batches that each
 * have the predictor's first as their measure; then the best of all batches
 * again, in ROUNDS interleaved rounds.  What mgemm takes without parameters is
 * always among them, and is chosen unless another is faster with the whole 95 %
 * interval of the rounds' ratios.  False with a message when the machine's
 * constants can't be measured.  */
bool conv_tune(struct conv_tuner *tuner, const struct conv_contestant *contestant,
               const struct conv_shape *shape, enum conv_tune_mode mode, int64_t top, int rounds,
               struct conv_tuned *tuned, struct error *error);

#endif
