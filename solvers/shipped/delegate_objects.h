/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two planners of TFLite's GPU delegate that its best-of tries.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_DELEGATE_OBJECTS_H
#define ARENABENCH_SOLVERS_SHIPPED_DELEGATE_OBJECTS_H

struct instance;
struct plan;
struct solver_env;

/* Each fills in objects, offsets and peak; equal keys go by ENV's parameter "ties".
 * What they do stands at the head of tflite-gpu-breadth.c and
 * tflite-gpu-size-distance.c.  */
void delegate_by_breadth(const struct instance *instance, const struct solver_env *env,
                         struct plan *plan);
void delegate_by_size_distance(const struct instance *instance, const struct solver_env *env,
                               struct plan *plan);

#endif
