/* Reading a whole file into memory.  */
#ifndef ARENABENCH_LIB_FILE_H
#define ARENABENCH_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/error.h"

/* Reads the file at PATH, `-` being standard input.  Files above LIMIT bytes are
 * refused before more of them is read.  A zero byte follows the LENGTH bytes
 * of *TEXT, which the caller frees.  Messages begin with the path.  */
bool file_read(const char *path, size_t limit, char **text, size_t *length, struct error *error);

#endif
