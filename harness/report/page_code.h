/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes and numbers as the letters in which a page carries them.  */
#ifndef ARENABENCH_HARNESS_REPORT_PAGE_CODE_H
#define ARENABENCH_HARNESS_REPORT_PAGE_CODE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Packed by zlib, then as base64: six bits a character.  What unpacks it is plots/page.js.  */
void page_write_packed(FILE *out, const char *data, size_t length);

/* A number from 0 on, five bits a character, the lowest first; the sixth says that more follow.  */
void page_write_number(FILE *out, int64_t number);

/* A number that may be below 0: the sign is the lowest bit.  */
void page_write_signed(FILE *out, int64_t number);

#endif
