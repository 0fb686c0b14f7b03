/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts for people: a terminal takes some bytes of a name, an operator's or a file's, for orders to
 * itself, so none of these are written as they are.  */
#ifndef ARENABENCH_LIB_BASE_PEOPLE_H
#define ARENABENCH_LIB_BASE_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether the character CODE is not to be seen, or changes what is: letters stand in its place.  */
bool people_escape(uint32_t code);

/* TEXT with what is not to be seen, or changes what is, in letters: control characters and bytes
 * that are no UTF-8 as \n, \t, \r or \xNN, characters that turn the direction or end lines as
 * \u202e.  It is UTF-8 and one line; the caller frees it.  */
char *people_text(const char *text);

/* Writes to OUT like fprintf, as people_text has it, but for the newlines with which FORMAT begins
 * and ends.  All that the program tells on standard output and error goes through it.  */
void people_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many columns TEXT, as people_text has it, takes: its characters.  */
size_t people_width(const char *text);

/* A unit of sizes.  */
struct people_unit {
    const char *name; /* "bytes", "KiB", "MiB" or "GiB" */
    double bytes;
};

/* The one that suits BYTES: the largest of which there are four or more.  */
struct people_unit people_unit(int64_t bytes);

/* BYTES in that unit, "1.5 MiB"; the caller frees it.  */
char *people_bytes(int64_t bytes);

/* Cuts TEXT, as people_text has it, behind WIDTH columns.  */
void people_cut(char *text, size_t width);

#endif
