/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logarithm, exponential and power that are the same number on every machine.
 *
 * C libraries round these as they like: in the last bit they differ between libraries, their
 * versions, and processors with and without fused multiply-adds.  What instances are drawn with
 * must not.  Here they are worked out from sums, products and quotients of doubles alone, with
 * about 100 bits, and rounded once; so they are the double nearest to the true value but in rare
 * cases close to the middle between two.  To be compiled with -ffp-contract=off.
 *
 * Source of the arithmetic with pairs of doubles: Dekker, A floating-point technique for extending
 * the available precision, Numerische Mathematik 18 (1971).  */
#ifndef ARENABENCH_LIB_BASE_PORTABLE_MATH_H
#define ARENABENCH_LIB_BASE_PORTABLE_MATH_H

double portable_log(double x);             /* natural; x above 0, finite */
double portable_exp(double x);             /* x from -700 to 700; 0 below, infinite above */
double portable_power(double x, double y); /* x above 0, finite; y log x as in portable_exp */

#endif
