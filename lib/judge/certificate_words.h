/* SPDX-License-Identifier: Apache-2.0 */
/* The words of certificates (certificate.h), for who writes and who reads them.  */
#ifndef ARENABENCH_LIB_JUDGE_CERTIFICATE_WORDS_H
#define ARENABENCH_LIB_JUDGE_CERTIFICATE_WORDS_H

#include <stdint.h>

enum certificate_word {
    CERTIFICATE_SUM,
    CERTIFICATE_CYCLE,
    CERTIFICATE_OVERLOAD,
    CERTIFICATE_ABOVE,
    CERTIFICATE_BELOW,
    CERTIFICATE_PILE,
    CERTIFICATE_HANG,
    CERTIFICATE_NOT_LOW,
    CERTIFICATE_NOT_HIGH,
    CERTIFICATE_USE,
    CERTIFICATE_NOGOOD,
    CERTIFICATE_IF,
    CERTIFICATE_LEARNED,
    CERTIFICATE_FORGET,
    CERTIFICATE_FIXED,
    CERTIFICATE_TWINS,
    CERTIFICATE_MIRROR,
    CERTIFICATE_WORDS
};

/* As many buffers as there are, two or more.  */
#define CERTIFICATE_ANY (-1)

struct certificate_row {
    const char *word;
    int numbers;
};

extern const struct certificate_row certificate_table[CERTIFICATE_WORDS];

/* What a certificate is about.  */
struct certificate_scope {
    int64_t capacity;   /* bytes */
    int64_t begin, end; /* steps */
    int64_t unit;       /* bytes */
};

#endif
