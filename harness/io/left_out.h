/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this build has to do without.  */
#ifndef ARENABENCH_HARNESS_IO_LEFT_OUT_H
#define ARENABENCH_HARNESS_IO_LEFT_OUT_H

/* "onednn, onednn-auto (libdnnl-dev was not there when configure ran); ONNX files (...)",
 * or "" where nothing is missing.  The caller frees it.  */
char *left_out(void);

#endif
