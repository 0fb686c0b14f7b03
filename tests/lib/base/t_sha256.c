/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the vectors of FIPS 180-4 and its appendix, and sha256sum at every length
 * around the ends of blocks.  */
#include <config.h>

#include "lib/base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

static void test_vectors(void)
{
    static const struct {
        const char *text, *digits;
    } vectors[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
         "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };

    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        is_text(sha256(vectors[i].text, strlen(vectors[i].text)).digits, vectors[i].digits,
                "vector %zu", i);
}

static void test_million(void)
{
    enum { MILLION = 1000000 };
    char *text = memory_alloc(MILLION, 1);

    memset(text, 'a', MILLION);
    is_text(sha256(text, MILLION).digits,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "a million a");
    free(text);
}

/* What sha256sum says of LENGTH times the letter x; false where there is none.  */
static bool ask(size_t length, char digits[65])
{
    char *command = memory_printf("head -c %zu /dev/zero | tr '\\0' x | sha256sum", length);
    FILE *out = popen(command, "r");
    bool good = out != NULL && fscanf(out, "%64s", digits) == 1 && strlen(digits) == 64;

    if (out != NULL)
        good = pclose(out) == 0 && good;
    free(command);
    return good;
}

static void test_lengths(void)
{
    char text[200], digits[65];

    memset(text, 'x', sizeof text);
    if (!ask(0, digits)) {
        tap_skip(1, "sha256sum is not here");
        return;
    }
    for (size_t length = 50; length < 132; length++) {
        bool same = ask(length, digits) && strcmp(sha256(text, length).digits, digits) == 0;

        if (!same || length == 131) {
            ok(same, "as sha256sum at %zu bytes and below", length);
            return;
        }
    }
}

int main(void)
{
    test_vectors();
    test_million();
    test_lengths();
    return tap_done();
}
