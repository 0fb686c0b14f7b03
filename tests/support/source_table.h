/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of what is known, which stand among the tests' sources.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SOURCE_TABLE_H
#define ARENABENCH_TESTS_SUPPORT_SOURCE_TABLE_H

#include "lib/base/csv.h"

/* Where the source file NAME is, which counts from the top folder; the caller frees it.  */
char *source_path(const char *name);

/* Gives READ each row of the table NAME with the columns NAMES[0..count), and asserts that it is
 * well-formed.  Without the file there is nothing to test: the program ends.  */
void source_table_read(const char *name, const char *const *names, size_t count,
                       csv_row_reader *read, void *context);

#endif
