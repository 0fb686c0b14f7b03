/* Names from files in which they mean nothing, made unique.  */
#ifndef ARENABENCH_LIB_NAMES_H
#define ARENABENCH_LIB_NAMES_H

#include <stddef.h>

/* Adds suffixes "_2", "_3", ... to the later ones of equal names, skipping what is
 * taken.  SLOT[0..COUNT) are the places of the names, each allocated on its own;
 * one that changes is freed and replaced.  */
void names_make_unique(char **const *slot, size_t count);

#endif
