/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that never returns NULL.
 *
 * When memory is out, the out-of-memory hook is called and must not return.
 * The default hook prints a message and exits with status 1; the process that
 * runs a solver sets one that reports the outcome `memout` to its parent.
 * In a scope (lib/base/memory_scope.h) blocks come from a pool, and the scope is left instead.  */
#ifndef ARENABENCH_LIB_BASE_MEMORY_H
#define ARENABENCH_LIB_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

typedef void memory_hook(void *context);

/* HOOK == NULL restores the default.  */
void memory_set_hook(memory_hook *hook, void *context);

/* Calls the hook: for libraries that report out-of-memory themselves.  */
_Noreturn void memory_exhausted(void);

void *memory_alloc(size_t count, size_t size);               /* uninitialised */
void *memory_zalloc(size_t count, size_t size);              /* zeroed */
void *memory_resize(void *block, size_t count, size_t size); /* like reallocarray */
void *memory_aligned(size_t alignment, size_t size);         /* uninitialised; a power of two */
void *memory_copy(const void *block, size_t count,
                  size_t size); /* BLOCK may be NULL if COUNT is 0 */
char *memory_strdup(const char *text);
/* Gives back what a function above allocated, or NULL.  What instances, plans and the planner
 * hold is given back by this alone, so that they can be kept in memory of somebody else's.  */
void memory_free(void *block);
char *memory_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Frees TEXT and returns it with more behind it.  */
char *memory_append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Grows a vector: makes room for at least NEEDED elements of SIZE bytes,
 * doubling *CAPACITY.  Returns the block, which may have moved.  */
void *memory_grow(void *block, size_t *capacity, size_t needed, size_t size);

/* A stream that writes into memory.  Once it is closed, *TEXT is what was
 * written, terminated, which the caller frees, and *LENGTH its bytes.  */
FILE *memory_stream(char **text, size_t *length);
void memory_stream_close(FILE *stream);

#endif
