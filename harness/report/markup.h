/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts within HTML and LaTeX.  */
#ifndef ARENABENCH_HARNESS_REPORT_MARKUP_H
#define ARENABENCH_HARNESS_REPORT_MARKUP_H

#include <stdio.h>

/* FORMAT, which has %s and %% alone, is written as it is, and each text with what would be read as
 * markup escaped, for attributes too.  */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for LaTeX; what its own fonts lack stands there as [U+03B1].  */
void tex_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
