/* Written by build-aux/buildinfo: do not edit.  */
#define BUILD_VERSION "0.1.0-72b51a0-dirty"
#define BUILD_COMMIT "72b51a0c423c1073fcc8af08ef9177ba52a418cd-dirty"
#define BUILD_CHANGES "70ee5997b05b34151d228fc0bbac6ae04f34f298"
#define BUILD_COMPILER "gcc (Debian 12.2.0-14+deb12u1) 12.2.0"
#define BUILD_CFLAGS "-std=gnu11   -g -O2"
#define BUILD_CONFIGURE "'--enable-werror' 'CC=ccache gcc'"
