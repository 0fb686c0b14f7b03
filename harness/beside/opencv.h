/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCV's dnn module for C.  OpenCV is C++ only: what it throws ends here, as a message.  */
#ifndef ARENABENCH_HARNESS_BESIDE_OPENCV_H
#define ARENABENCH_HARNESS_BESIDE_OPENCV_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct opencv_net;

/* "opencv 4.6.0", of the library that is loaded.  */
const char *opencv_library(void);

/* The network of an ONNX file, for so many threads of the processor; NULL with OpenCV's words.  */
struct opencv_net *opencv_open(const char *path, int threads, struct error *error);
void opencv_close(struct opencv_net *net);

/* The f32 input NAME for the next run.  DATA is borrowed until that has ended.  */
bool opencv_give(struct opencv_net *net, const char *name, int rank, const int *dim,
                 const float *data, struct error *error);

/* Runs the network once, up to the COUNT outputs of these names.  */
bool opencv_run(struct opencv_net *net, const char *const *output, size_t count,
                struct error *error);

/* Output O of the last run, as many f32 as ELEMENTS says; OpenCV's until the next.  NULL: they are
 * no f32.  */
const float *opencv_output(const struct opencv_net *net, size_t o, size_t *elements);

#endif
