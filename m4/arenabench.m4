dnl SPDX-License-Identifier: GPL-3.0-or-later
# Macros of our own.

# AB_ONLY: whether all is built (ab_whole, the conditional WHOLE), or libarenaplan alone, for which
# nothing is looked for but a C compiler and what makes libraries of its objects.
AC_DEFUN([AB_ONLY], [
  AC_ARG_ENABLE([only],
    [AS_HELP_STRING([--enable-only=arenaplan], [build the library libarenaplan alone])])
  AS_CASE([$enable_only],
    [''|no], [ab_whole=yes],
    [arenaplan], [
      ab_whole=no
      with_openblas=no with_dnnl=no with_xnnpack=no with_libxsmm=no with_onnx_proto=no],
    [AC_MSG_ERROR([--enable-only=arenaplan is all that can be built alone, not '$enable_only'])])
  AM_CONDITIONAL([WHOLE], [test $ab_whole = yes])
])

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

# AB_CHECKS: ENABLE_CHECKS, with which structures check their invariants at every step.
AC_DEFUN([AB_CHECKS], [
  AS_IF([test "x$enable_checks" = xyes],
    [AC_DEFINE([ENABLE_CHECKS], [1], [Define to check the invariants of structures at every step.])])
])

# AB_KERNELS: whether convolution kernels are also built for AVX2 and AVX-512.
# Flags of the instruction set only: with -mtune of one processor GCC 12 writes
# slower register tiles.  TILE_CFLAGS: for code that means to use every vector
# register.  Scheduling before registers are given out, which GCC does at -O2
# for AArch64 though not for x86, moves loads up until the tiles spill.  At -O1 GCC
# fuses multiplications with additions only if told to (at -O0 never).  Without that tiles
# that say it themselves round otherwise than those that do not, and a sum depends on how
# threads cut the layer.
AC_DEFUN([AB_KERNELS], [
  TILE_CFLAGS=
  AB_CHECK_FLAG([-fno-schedule-insns], [TILE_CFLAGS])
  AB_CHECK_FLAG([-fexpensive-optimizations], [TILE_CFLAGS])
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

# AB_LOOPS: LOOP_CFLAGS, for plain loops of any length that are to be vectorised, which GCC 12
# leaves to -O3: at -O2 it takes only those whose length it knows.  Nobody asks for the flags of
# exceptions or for errno, which keep it from choices and roots; no number changes by that.
AC_DEFUN([AB_LOOPS], [
  LOOP_CFLAGS=
  AB_CHECK_FLAG([-ftree-vectorize], [LOOP_CFLAGS])
  AB_CHECK_FLAG([-fvect-cost-model=dynamic], [LOOP_CFLAGS])
  AB_CHECK_FLAG([-fno-trapping-math], [LOOP_CFLAGS])
  AB_CHECK_FLAG([-fno-math-errno], [LOOP_CFLAGS])
  AC_SUBST([LOOP_CFLAGS])
])

# AB_HAVE(NAME): sets ab_have to whether NAME of build-aux/packages is there and works.
# The same question that bootstrap asks, so that both find the same.
AC_DEFUN([AB_HAVE], [
  AC_MSG_CHECKING([for $1])
  AS_IF([CC="$CC" CPPFLAGS="$CPPFLAGS" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" LIBS="$LIBS" \
      PKG_CONFIG="$PKG_CONFIG" PROTOC_C="$PROTOC_C" ONNX_PROTO="$ab_onnx_proto" \
      $SHELL "$srcdir/build-aux/packages" have $1 >&AS_MESSAGE_LOG_FD 2>&1],
    [ab_have=yes], [ab_have=no])
  AC_MSG_RESULT([$ab_have])
])

# AB_OPTIONAL(NAME, VARIABLE, WANTED): the same for what the project can do without
# (WANTED: "no" if the user wants to).  HAVE_VARIABLE; VARIABLE_ABSENT is why it is not
# there, or NULL.
AC_DEFUN([AB_OPTIONAL], [
  ab_have=no
  AS_IF([test "x$3" = xno],
    [ab_absent="configured --without-$1"],
    [AB_HAVE([$1])
    ab_absent=`$SHELL "$srcdir/build-aux/packages" debian $1 | sed 's/ / or /g'`
    ab_absent="$ab_absent was not there when configure ran"])
  AS_IF([test $ab_have = yes],
    [AC_DEFINE([$2_ABSENT], [NULL])],
    [AC_DEFINE_UNQUOTED([$2_ABSENT], ["$ab_absent"],
      [Why $1 is not built in, or NULL.])
    ab_without=`$SHELL "$srcdir/build-aux/packages" without $1`
    ab_left_out="$ab_left_out
    left out    $ab_without: $ab_absent"])
  AM_CONDITIONAL([HAVE_$2], [test $ab_have = yes])
])

# AB_PEER(NAME, VARIABLE, SONAME): an optional library to compare kernels with.  It is
# opened when it is wanted, so only its header and its name are of interest here.
# VARIABLE_LIBRARY.
AC_DEFUN([AB_PEER], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [do without $1 as a peer of the kernels])])
  AB_OPTIONAL([$1], [$2], [$with_$1])
  AS_IF([test $ab_have = yes], [
    AC_DEFINE([$2_LIBRARY], ["$3"], [File name of $1's shared library.])
    ab_peers="$ab_peers $1"])
])

# AB_PEER_XNNPACK: the same for XNNPACK, whose threads are another library's.
AC_DEFUN([AB_PEER_XNNPACK], [
  AB_PEER([xnnpack], [XNNPACK], [libXNNPACK.so.0])
  AS_IF([test $ab_have = yes], [
    AC_DEFINE([PTHREADPOOL_LIBRARY], ["libpthreadpool.so.0"],
      [File name of pthreadpool's shared library.])
    AC_CHECK_FUNCS([mallinfo2])])
])

# AB_PEER_LIBXSMM: libxsmm, of which Debian has static libraries only, so it is
# linked; LIBXSMM_LIBS.
AC_DEFUN([AB_PEER_LIBXSMM], [
  AB_PEER([libxsmm], [LIBXSMM], [])
  LIBXSMM_LIBS=
  AS_IF([test $ab_have = yes], [LIBXSMM_LIBS="-lxsmm -lxsmmnoblas -lpthread -lrt -ldl -lm"])
  AC_SUBST([LIBXSMM_LIBS])
])

# AB_JANSSON: whether problems with hazards are read and written as JSON, which the library alone
# does without.
AC_DEFUN([AB_JANSSON], [
  AC_ARG_WITH([jansson], [AS_HELP_STRING([--without-jansson], [read no problems with hazards and no recordings as JSON])])
  AS_IF([test $ab_whole = no], [with_jansson=no])
  AB_OPTIONAL([jansson], [JANSSON], [$with_jansson])
  AS_IF([test $ab_have = yes], [PKG_CHECK_MODULES([JANSSON], m4_dquote(AB_MODULE([jansson])))])
])

# AB_HWLOC: whether it is known which processors share a core, and which are near which memory.
AC_DEFUN([AB_HWLOC], [
  AC_ARG_WITH([hwloc], [AS_HELP_STRING([--without-hwloc], [place threads by the numbers of processors alone])])
  AS_IF([test $ab_whole = no], [with_hwloc=no])
  AB_OPTIONAL([hwloc], [HWLOC], [$with_hwloc])
  AS_IF([test $ab_have = yes], [PKG_CHECK_MODULES([HWLOC], m4_dquote(AB_MODULE([hwloc])))])
])

# AB_ONNX: whether ONNX files can be read: protobuf-c, its compiler, and ONNX's
# description of the format, which --with-onnx-proto=DIR finds elsewhere.
# ONNX_PROTO is its folder.
AC_DEFUN([AB_ONNX], [
  AC_ARG_WITH([onnx-proto],
    [AS_HELP_STRING([--with-onnx-proto=DIR], [folder of onnx.proto (--without: read no ONNX files)])],
    [], [with_onnx_proto=yes])
  AS_IF([test $ab_whole = yes], [AC_PATH_PROG([PROTOC_C], [protoc-c], [no])])
  ab_onnx_proto="/usr/include/onnx /usr/local/include/onnx"
  AS_CASE([$with_onnx_proto], [yes|no], [], [ab_onnx_proto=$with_onnx_proto])
  AB_OPTIONAL([onnx], [ONNX], [$with_onnx_proto])
  ab_onnx=$ab_have
  ONNX_PROTO=
  AS_IF([test $ab_onnx = yes], [
    PKG_CHECK_MODULES([PROTOBUF_C], m4_dquote(AB_MODULE([onnx])))
    for ab_folder in $ab_onnx_proto; do
      AS_IF([test -z "$ONNX_PROTO" && test -f "$ab_folder/onnx.proto"], [ONNX_PROTO=$ab_folder])
    done])
  AC_SUBST([ONNX_PROTO])
])

# AB_MODULE(NAME): what pkg-config is asked for, of build-aux/packages.
m4_define([AB_MODULE], [m4_esyscmd_s([build-aux/packages module $1])])
