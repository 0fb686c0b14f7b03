/* One run of a solver inside the test program.  */
#ifndef ARENABENCH_TESTS_RUN_SOLVER_H
#define ARENABENCH_TESTS_RUN_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

struct instance;
struct plan;

/* SPEC is a solver's name, then perhaps a colon and its parameters.  The plan has
 * passed the verifier; one that has not, and a name or a parameter that does not
 * exist, ends the program.  The caller frees it.  */
struct plan *solver_plan(const char *spec, const struct instance *instance, uint32_t seed);

/* The peak of that plan, with seed 1.  */
int64_t run_solver_peak(const char *spec, const struct instance *instance);

/* Whether the solver takes INSTANCE.  */
bool solver_applies(const char *spec, const struct instance *instance);

#endif
