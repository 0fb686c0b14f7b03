/* Opening what a command's INSTANCE and PLAN arguments name.  */
#ifndef ARENABENCH_HARNESS_CLI_INPUT_H
#define ARENABENCH_HARNESS_CLI_INPUT_H

struct instance;
struct plan;

/* Parses SPEC and makes its instance.  NULL after a message on standard error
 * (the caller returns STATUS_USAGE).  The caller frees it.  */
struct instance *input_instance(const char *command, const char *spec);

/* Reads a plan of INSTANCE from the CSV file PATH, "-" being standard input, or out
 * of a model file that can hold one.  NULL and ownership as above.  */
struct plan *input_plan(const char *command, const char *path, const struct instance *instance);

#endif
