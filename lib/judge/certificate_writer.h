/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes certificates (certificate.h).  What the stream could not take is the caller's to find
 * (ferror).  */
#ifndef ARENABENCH_LIB_JUDGE_CERTIFICATE_WRITER_H
#define ARENABENCH_LIB_JUDGE_CERTIFICATE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/judge/certificate_words.h"

struct instance;

struct certificate_writer {
    FILE *out;
    const struct instance *instance;
    uint64_t checksum; /* of all lines so far */
};

/* Numbers in a certificate are no further from 0: sums of a few of them fit.  */
#define CERTIFICATE_MOST (INT64_MAX / 4)

/* Whether INSTANCE can have certificates; false with the reason where its numbers are too large. */
bool certificate_possible(const struct instance *instance, struct error *error);

void certificate_writer_begin(struct certificate_writer *writer, const struct instance *instance,
                              FILE *out, const struct certificate_scope *scope);
void certificate_writer_line(struct certificate_writer *writer, enum certificate_word word,
                             const int64_t *number, size_t count);
void certificate_writer_end(struct certificate_writer *writer);

#endif
