/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as UTF-8.  */
#ifndef ARENABENCH_LIB_BASE_UTF8_H
#define ARENABENCH_LIB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the valid UTF-8 sequence of two bytes or more at TEXT, or 0.
 * Overlong forms, surrogates and what lies above U+10FFFF are not valid.  */
size_t utf8_sequence(const unsigned char *text, size_t room);

/* The character of such a sequence of SIZE bytes.  */
uint32_t utf8_character(const unsigned char *text, size_t size);

#endif
