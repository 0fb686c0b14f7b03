/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4): the checksum of files that are given to others, who have sha256sum.
 * Within the project lib/base/checksum.h is enough.  */
#ifndef ARENABENCH_LIB_BASE_SHA256_H
#define ARENABENCH_LIB_BASE_SHA256_H

#include <stddef.h>

/* 64 small hexadecimal digits, terminated.  */
struct sha256_text {
    char digits[65];
};

/* Of the LENGTH bytes at DATA.  */
struct sha256_text sha256(const void *data, size_t length);

#endif
