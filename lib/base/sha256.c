/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/sha256.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 8, BLOCK = 64, ROUNDS = 64, LENGTH_AT = BLOCK - 8 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes.  */
static const uint32_t constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void read_block(uint32_t schedule[ROUNDS], const unsigned char *block)
{
    for (size_t t = 0; t < 16; t++, block += 4)
        schedule[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
                      (uint32_t)block[2] << 8 | (uint32_t)block[3];
    for (size_t t = 16; t < ROUNDS; t++) {
        uint32_t w15 = schedule[t - 15], w2 = schedule[t - 2];

        schedule[t] = schedule[t - 16] + (rotate(w15, 7) ^ rotate(w15, 18) ^ w15 >> 3) +
                      schedule[t - 7] + (rotate(w2, 17) ^ rotate(w2, 19) ^ w2 >> 10);
    }
}

static void add_block(uint32_t state[WORDS], const unsigned char *block)
{
    uint32_t schedule[ROUNDS], v[WORDS];

    read_block(schedule, block);
    memcpy(v, state, sizeof v);
    for (size_t t = 0; t < ROUNDS; t++) {
        uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t first = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choose +
                         constant[t] + schedule[t];
        uint32_t second = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + most;

        memmove(v + 1, v, sizeof v - sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (size_t i = 0; i < WORDS; i++)
        state[i] += v[i];
}

struct sha256_text sha256(const void *data, size_t length)
{
    uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *byte = data;
    unsigned char last[2 * BLOCK] = {0};
    size_t rest = length % BLOCK, blocks = rest < LENGTH_AT ? 1 : 2;
    struct sha256_text text;

    for (size_t at = 0; at + BLOCK <= length; at += BLOCK)
        add_block(state, byte + at);
    if (rest > 0)
        memcpy(last, byte + length - rest, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[blocks * BLOCK - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
    for (size_t b = 0; b < blocks; b++)
        add_block(state, last + b * BLOCK);
    for (size_t i = 0; i < WORDS; i++)
        snprintf(text.digits + 8 * i, 9, "%08" PRIx32, state[i]);
    return text;
}
