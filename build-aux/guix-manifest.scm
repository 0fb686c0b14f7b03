;; SPDX-License-Identifier: GPL-3.0-or-later
;; What arenabench is built and run with, for
;;
;;   guix time-machine -C build-aux/guix-channels.scm -- \
;;     shell --pure -m build-aux/guix-manifest.scm -- \
;;     sh -c 'ARENABENCH_NO_INSTALL=1 ./bootstrap && make && ./run_sweep'
;;
;; Of the optional libraries it has OpenBLAS alone, so kernels of oneDNN, LIBXSMM and XNNPACK, ONNX
;; files, OpenCV and PyTorch are left out.
(specifications->manifest
 '("gcc-toolchain@12" "make" "autoconf" "automake" "pkg-config"
   "glpk" "gsl" "sqlite" "zlib" "libconfig" "jansson" "hwloc" "openblas"
   "gnuplot" "font-dejavu" "fontconfig"
   "bash" "coreutils" "diffutils" "findutils" "gawk" "grep" "gzip" "sed" "tar" "which" "xz"
   "curl" "git-minimal" "nss-certs" "util-linux"))
