/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, HEAD = MAGIC + 2, ALIGNED = 64 };

/* What types are called, without the order of their bytes; the first of two that are called the
 * same is what is read.  */
static const struct {
    enum dtype dtype;
    char name[4];
} types[] = {{DTYPE_F32, "f4"},  {DTYPE_F16, "f2"}, {DTYPE_I8, "i1"},   {DTYPE_U8, "u1"},
             {DTYPE_I16, "i2"},  {DTYPE_I32, "i4"}, {DTYPE_I64, "i8"},  {DTYPE_F64, "f8"},
             {DTYPE_BOOL, "b1"}, {DTYPE_U16, "u2"}, {DTYPE_BF16, "u2"}, {DTYPE_U32, "u4"},
             {DTYPE_U64, "u8"},  {DTYPE_C64, "c8"}, {DTYPE_C128, "c16"}};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_NAME '<'
#else
#define BYTE_ORDER_NAME '>'
#endif

/* --- reading --- */

bool npy_is(const void *bytes, size_t size)
{
    return size >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

/* What stands behind KEY in the header, a dictionary as Python writes it; NULL: it is not there. */
static const char *value_of(const char *header, const char *key)
{
    char *quoted = memory_printf("'%s'", key);
    const char *at = strstr(header, quoted);

    if (at != NULL) {
        at += strlen(quoted);
        at += strspn(at, " ");
        at = *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
    }
    free(quoted);
    return at;
}

static bool read_type(struct npy *npy, const char *text)
{
    const char *end = text == NULL || text[0] != '\'' ? NULL : strchr(text + 1, '\'');

    if (end == NULL || end - text < 4 || (text[1] != BYTE_ORDER_NAME && text[1] != '|'))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == (size_t)(end - text) - 2 &&
            strncmp(text + 2, types[i].name, strlen(types[i].name)) == 0) {
            npy->dtype = types[i].dtype;
            return true;
        }
    return false;
}

static bool read_shape(struct npy *npy, const char *text)
{
    if (text == NULL || *text++ != '(')
        return false;
    for (npy->rank = 0; *(text += strspn(text, " ")) != ')'; npy->rank++) {
        char *end;

        if (npy->rank == NETWORK_MAX_RANK || *text < '0' || *text > '9')
            return false;
        npy->dim[npy->rank] = strtoll(text, &end, 10);
        text = end + strspn(end, " ");
        if (*text != ')' && *text++ != ',')
            return false;
    }
    return true;
}

/* The bytes of the elements, as their number and type have it.  */
static bool count_bytes(struct npy *npy)
{
    int64_t bytes = (int64_t)dtype_size(npy->dtype);

    for (int i = 0; i < npy->rank; i++)
        if (!checked_mul(bytes, npy->dim[i], &bytes))
            return false;
    npy->bytes = (size_t)bytes;
    return true;
}

static bool read_header(struct npy *npy, const char *header, const char *path, struct error *error)
{
    const char *order = value_of(header, "fortran_order");

    if (!read_type(npy, value_of(header, "descr")))
        return error_set(error,
                         "%s: expected a plain type in the order of this machine, '%cf4' for one",
                         path, BYTE_ORDER_NAME);
    if (order == NULL || strncmp(order, "False", 5) != 0)
        return error_set(
            error, "%s: expected fortran_order False: save numpy.ascontiguousarray of it", path);
    if (!read_shape(npy, value_of(header, "shape")) || !count_bytes(npy))
        return error_set(error, "%s: expected a shape of up to %d dimensions", path,
                         NETWORK_MAX_RANK);
    return true;
}

bool npy_unpack(struct npy *npy, const void *bytes, size_t size, const char *path,
                struct error *error)
{
    const unsigned char *byte = bytes;
    size_t length = 0, digits;
    char *header;
    bool good;

    if (!npy_is(bytes, size) || size < HEAD || byte[MAGIC] < 1 || byte[MAGIC] > 3)
        return error_set(error, "%s: expected a NumPy array (npy, version 1 to 3)", path);
    digits = byte[MAGIC] == 1 ? 2 : 4;
    for (size_t i = 0; i < digits && HEAD + i < size; i++)
        length |= (size_t)byte[HEAD + i] << 8 * i;
    if (size - HEAD < digits || length > size - HEAD - digits)
        return error_set(error, "%s: it ends within its header", path);
    header = memory_printf("%.*s", (int)(length < INT32_MAX ? length : INT32_MAX),
                           (const char *)byte + HEAD + digits);
    good = read_header(npy, header, path, error);
    free(header);
    if (!good)
        return false;
    npy->data = byte + HEAD + digits + length;
    size -= HEAD + digits + length;
    return size == npy->bytes ||
           error_set(error, "%s: %zu bytes of elements, expected %zu", path, size, npy->bytes);
}

/* --- writing --- */

static const char *type_name(enum dtype dtype)
{
    size_t i = 0;

    while (types[i].dtype != dtype)
        i++;
    return types[i].name;
}

void npy_write(FILE *out, const struct npy *npy)
{
    char *header =
        memory_printf("{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                      dtype_size(npy->dtype) == 1 ? '|' : BYTE_ORDER_NAME, type_name(npy->dtype));
    size_t length;

    for (int i = 0; i < npy->rank; i++)
        header = memory_append(header, "%s%" PRId64 "%s", i == 0 ? "" : " ", npy->dim[i],
                               i + 1 < npy->rank || npy->rank == 1 ? "," : "");
    header = memory_append(header, "), }");
    /* The elements begin at a multiple of 64 bytes, behind a line's end.  */
    length = strlen(header) + 1;
    length += (ALIGNED - (HEAD + 2 + length) % ALIGNED) % ALIGNED;
    fwrite(magic, 1, MAGIC, out);
    fputc(1, out);
    fputc(0, out);
    fputc((int)(length & 255), out);
    fputc((int)(length >> 8), out);
    fprintf(out, "%-*s\n", (int)length - 1, header);
    fwrite(npy->data, 1, npy->bytes, out);
    free(header);
}
