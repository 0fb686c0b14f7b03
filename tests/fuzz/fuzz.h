/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz targets: one per reader, in tests/fuzz/fuzz_NAME.c, with its corpus of small
 * files in tests/fuzz/corpus/NAME.  `make check` replays the corpus with the driver
 * of fuzz_replay.c; `make fuzz-NAME` searches for more with libFuzzer.  */
#ifndef ARENABENCH_TESTS_FUZZ_FUZZ_H
#define ARENABENCH_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Feeds SIZE bytes to the reader; aborts when a property does not hold.  The
 * name and the 0 it returns are libFuzzer's.  */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
