/* Opening what a command's INSTANCE argument names.  */
#ifndef ARENABENCH_HARNESS_INPUT_H
#define ARENABENCH_HARNESS_INPUT_H

struct instance;

/* Parses SPEC and makes its instance.  NULL after a message on standard error
 * (the caller returns STATUS_USAGE).  The caller frees it.  */
struct instance *input_instance(const char *command, const char *spec);

#endif
