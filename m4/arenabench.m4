# Macros of our own.

# AB_CHECK_FLAG(FLAG, VARIABLE)
# Appends FLAG to VARIABLE if the compiler takes it without a warning.
AC_DEFUN([AB_CHECK_FLAG], [
  AC_MSG_CHECKING([whether $CC takes $1])
  ab_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); AS_VAR_APPEND([$2], [" $1"])],
    [AC_MSG_RESULT([no])])
  CFLAGS=$ab_saved_CFLAGS
])

# AB_CHECK_GNU11: C11 with GNU extensions in STD_CFLAGS.
AC_DEFUN([AB_CHECK_GNU11], [
  STD_CFLAGS=
  AB_CHECK_FLAG([-std=gnu11], [STD_CFLAGS])
  AC_SUBST([STD_CFLAGS])
])

# AB_WARNINGS: WARN_CFLAGS, with -Werror under --enable-werror.
AC_DEFUN([AB_WARNINGS], [
  WARN_CFLAGS=
  m4_foreach_w([ab_flag], [-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
      -Wmissing-prototypes -Wpointer-arith -Wvla],
    [AB_CHECK_FLAG(ab_flag, [WARN_CFLAGS])])
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])

# AB_SANITIZERS: SAN_FLAGS for compiling and linking.
AC_DEFUN([AB_SANITIZERS], [
  SAN_FLAGS=
  AS_CASE([$enable_sanitizers],
    [''|no], [],
    [yes], [enable_sanitizers=address,undefined])
  AS_IF([test -n "$enable_sanitizers" && test "$enable_sanitizers" != no], [
    SAN_FLAGS="-fsanitize=$enable_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
    AC_DEFINE([WITH_SANITIZERS], [1], [Define when built with sanitizers: no address-space limits.])
  ])
  AM_CONDITIONAL([SANITIZERS], [test -n "$SAN_FLAGS"])
  AC_SUBST([SAN_FLAGS])
])

# AB_KERNELS: whether convolution kernels are also built for AVX2 and AVX-512.
# Flags of the instruction set only: with -mtune of one processor GCC 12 writes
# slower register tiles.  TILE_CFLAGS: for code that means to use every vector
# register.  Scheduling before registers are given out, which GCC does at -O2
# for AArch64 though not for x86, moves loads up until the tiles spill.
AC_DEFUN([AB_KERNELS], [
  TILE_CFLAGS=
  AB_CHECK_FLAG([-fno-schedule-insns], [TILE_CFLAGS])
  AC_SUBST([TILE_CFLAGS])
  ab_kernels=generic
  ab_x86_flags=
  AC_MSG_CHECKING([whether $CC makes AVX2 and AVX-512 code])
  ab_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -mavx2 -mfma -mavx512f"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[
#ifndef __x86_64__
#error not x86
#endif
    return __builtin_cpu_supports("avx512f");]])],
    [ab_kernels="generic avx2 avx512"; AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])])
  CFLAGS=$ab_saved_CFLAGS
  AS_IF([test "$ab_kernels" != generic],
    [AC_DEFINE([HAVE_X86_KERNELS], [1], [Define when kernels are built for AVX2 and AVX-512.])])
  AM_CONDITIONAL([X86_KERNELS], [test "$ab_kernels" != generic])
])

# AB_PEER(NAME, HEADER, LIBRARY, FUNCTION, SONAME, [OTHER-LIBRARIES], [PROGRAM]):
# an optional library to compare kernels with.  It is opened when it is wanted, so
# only its header and its name are of interest here, and whether PROGRAM, which
# says what its interface should be, compiles.  HAVE_NAME and NAME_LIBRARY.
AC_DEFUN([AB_PEER], [
  AC_ARG_WITH([m4_tolower([$1])],
    [AS_HELP_STRING([--without-m4_tolower([$1])], [do without $1 as a peer of the kernels])])
  ab_have=no
  AS_IF([test "x$with_[]m4_tolower([$1])" != xno], [
    AC_CHECK_HEADER([$2], [AC_CHECK_LIB([$3], [$4], [ab_have=yes], [], [$6])])])
  m4_ifval([$7], [AS_IF([test $ab_have = yes], [
    AC_MSG_CHECKING([for the interface of $1 that is known here])
    AC_COMPILE_IFELSE([$7], [], [ab_have=no])
    AC_MSG_RESULT([$ab_have])])])
  AS_IF([test $ab_have = yes], [
    AC_DEFINE([$1_LIBRARY], ["$5"], [File name of $1's shared library.])
    ab_peers="$ab_peers m4_tolower([$1])"])
  AM_CONDITIONAL([HAVE_$1], [test $ab_have = yes])
])

# AB_PEER_XNNPACK: the same for XNNPACK with the interface of 2022, of which
# later versions changed the signatures.
AC_DEFUN([AB_PEER_XNNPACK], [
  AB_PEER([XNNPACK], [xnnpack.h], [XNNPACK], [xnn_create_convolution2d_nhwc_f32],
    [libXNNPACK.so.0], [-lpthreadpool], [AC_LANG_PROGRAM([[#include <xnnpack.h>
enum xnn_status (*create)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
    uint32_t, uint32_t, uint32_t, uint32_t, size_t, size_t, size_t, size_t, const float *,
    const float *, float, float, uint32_t, xnn_operator_t *) = xnn_create_convolution2d_nhwc_f32;
enum xnn_status (*setup)(xnn_operator_t, size_t, size_t, size_t, const float *, float *,
    pthreadpool_t) = xnn_setup_convolution2d_nhwc_f32;]], [[return create != 0 && setup != 0;]])])
  AS_IF([test $ab_have = yes], [
    AC_DEFINE([PTHREADPOOL_LIBRARY], ["libpthreadpool.so.0"],
      [File name of pthreadpool's shared library.])
    AC_CHECK_FUNCS([mallinfo2])])
])

# AB_PEER_LIBXSMM: libxsmm, of which Debian has static libraries only, so it is
# linked; LIBXSMM_LIBS.  Versions after 1.17 lack its convolutions.
AC_DEFUN([AB_PEER_LIBXSMM], [
  AC_ARG_WITH([libxsmm],
    [AS_HELP_STRING([--without-libxsmm], [do without LIBXSMM as a peer of the kernels])])
  ab_have=no
  LIBXSMM_LIBS=
  AS_IF([test "x$with_libxsmm" != xno], [
    AC_CHECK_HEADER([libxsmm.h], [AC_CHECK_LIB([xsmm], [libxsmm_dnn_create_conv_layer],
      [ab_have=yes], [], [-lxsmmnoblas -lpthread -lrt -ldl -lm])])])
  AS_IF([test $ab_have = yes], [
    LIBXSMM_LIBS="-lxsmm -lxsmmnoblas -lpthread -lrt -ldl -lm"
    ab_peers="$ab_peers libxsmm"])
  AC_SUBST([LIBXSMM_LIBS])
  AM_CONDITIONAL([HAVE_LIBXSMM], [test $ab_have = yes])
])

# AB_ONNX: whether ONNX files can be read: protobuf-c, its compiler, and ONNX's
# description of the format, which --with-onnx-proto=DIR finds elsewhere.
# ONNX_PROTO is its folder.
AC_DEFUN([AB_ONNX], [
  AC_ARG_WITH([onnx-proto],
    [AS_HELP_STRING([--with-onnx-proto=DIR], [folder of onnx.proto (--without: read no ONNX files)])],
    [], [with_onnx_proto=yes])
  ab_onnx=no
  AC_PATH_PROG([PROTOC_C], [protoc-c], [no])
  AS_IF([test "x$with_onnx_proto" != xno], [
    PKG_CHECK_MODULES([PROTOBUF_C], [libprotobuf-c >= 1.3], [ab_onnx=yes], [ab_onnx=no])])
  AC_MSG_CHECKING([for onnx.proto])
  ONNX_PROTO=
  AS_CASE([$with_onnx_proto],
    [yes], [ab_folders="/usr/include/onnx /usr/local/include/onnx"],
    [no], [ab_folders=],
    [ab_folders=$with_onnx_proto])
  for ab_folder in $ab_folders; do
    AS_IF([test -z "$ONNX_PROTO" && test -f "$ab_folder/onnx.proto"], [ONNX_PROTO=$ab_folder])
  done
  AC_MSG_RESULT([${ONNX_PROTO:-no}])
  AS_IF([test -z "$ONNX_PROTO" || test "$PROTOC_C" = no], [ab_onnx=no])
  AC_SUBST([ONNX_PROTO])
  AM_CONDITIONAL([HAVE_ONNX], [test $ab_onnx = yes])
])
