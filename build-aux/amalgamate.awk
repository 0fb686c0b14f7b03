# SPDX-License-Identifier: GPL-3.0-or-later
# The library's files as one: amalgamate.awk FILE.c... in the root of the sources.
#
# The project's headers come first, each once and after those that it includes, then the files.
# Nothing but what planner/arenaplan.h declares can be seen from outside, or clash with names of a
# program's own: what other headers declare becomes static, or is left out where none of the files
# defines it.  A name that a file has for itself at file scope, and another file or a header has as
# well, gets its file's name: `bar` of shape_fit.c becomes bar_in_shape_fit.
#
# The result is C11 that GCC and Clang take with -pedantic, and C++17 with their extensions
# (designated initialisers, compound literals), of which build-aux/amalgamate tells them: memory without a type gets one by a conversion,
# declared pointers by a cast, and what is a keyword there gets a `_`.
#
# That the sources look as clang-format leaves them is relied on: what begins in the first column
# is at file scope.

function fail(text)
{
    print "amalgamate: " text >"/dev/stderr"
    failed = 1
    exit 1
}

# --- lines ---

# Splits LINE into code and what else there is, comments and texts: piece[1..pieces], and in is_code
# which is which.  in_comment goes on from line to line.
function split_line(line,    at, end, mark)
{
    pieces = 0
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            at = end ? end + 1 : length(line)
            in_comment = !end
            add_piece(substr(line, 1, at), 0)
        } else if (match(line, /\/\*|"|'/)) {
            at = RSTART - 1
            mark = substr(line, RSTART, 1)
            if (at > 0) {
                add_piece(substr(line, 1, at), 1)
            } else if (mark == "/") {
                at = 2
                in_comment = 1
                add_piece("/*", 0)
            } else {
                for (at = 2; at < length(line) && substr(line, at, 1) != mark; at++)
                    if (substr(line, at, 1) == "\\")
                        at++
                add_piece(substr(line, 1, at), 0)
            }
        } else {
            at = length(line)
            add_piece(line, 1)
        }
        line = substr(line, at + 1)
    }
}

function add_piece(text, code)
{
    piece[++pieces] = text
    is_code[pieces] = code
}

function code_of(line,    i, code)
{
    split_line(line)
    code = ""
    for (i = 1; i <= pieces; i++)
        if (is_code[i])
            code = code piece[i]
    return code
}

# --- what a file has at file scope ---

# NAME is FILE's: "tag", "name" or "macro"; LOCAL: no other file can mean it.
function own(file, kind, name, local)
{
    if ((file, kind, name) in seen_own)
        return
    seen_own[file, kind, name] = 1
    if (local && file ~ /\.c$/) {
        locals[file] = locals[file] " " kind ":" name
        owners[kind, name]++
    } else {
        common[kind, name] = 1
    }
}

function last_word(text)
{
    sub(/[^A-Za-z_0-9]*$/, "", text)
    sub(/.*[^A-Za-z_0-9]/, "", text)
    return text
}

function own_constants(file, code)
{
    sub(/.*\{/, "", code)
    while (match(code, /[A-Z][A-Z_0-9]*/)) {
        own(file, "name", substr(code, RSTART, RLENGTH), 1)
        code = substr(code, RSTART + RLENGTH)
        sub(/^[^,]*/, "", code)
    }
}

function own_type(file, code)
{
    if (code ~ /\(\*[a-z_0-9]+\)\(/)
        sub(/\)\(.*/, "", code)
    else
        sub(/(\(| __attribute__|\[|;).*/, "", code)
    own(file, "name", last_word(code), 1)
}

function look(file, line,    code)
{
    code = code_of(line)
    if (code ~ /^# *define /) {
        sub(/^# *define /, "", code)
        match(code, /^[A-Za-z_0-9]+/)
        own(file, "macro", substr(code, 1, RLENGTH), 1)
        return
    }
    if (code ~ /^(struct|union|enum) [A-Za-z_0-9]+ \{/)
        own(file, "tag", last_word(substr(code, 1, index(code, "{") - 1)), 1)
    if (code ~ /^enum .*\{|^enum \{/)
        in_enum = 1
    if (in_enum) {
        own_constants(file, code)
        in_enum = code !~ /\}/
    } else if (code ~ /^typedef /) {
        own_type(file, code)
    } else if (code ~ /^[a-z_].*[a-z_0-9](\(|\[| = |;)/ && code !~ /^(struct|union) [a-z_0-9]+(;| \{)/) {
        sub(/(\(|\[| = |;).*/, "", code)
        own(file, "name", last_word(code), line ~ /^static /)
        if (file ~ /\.c$/)
            defined[last_word(code)] = 1
    }
}

# --- reading ---

function read_file(file,    line, n, name, guard)
{
    n = in_comment = in_enum = 0
    guard = "ARENABENCH_" toupper(file)
    gsub(/[^A-Z0-9_]/, "_", guard)
    while ((getline line <file) > 0) {
        if (line ~ /^#include "/) {
            split(line, name, "\"")
            wanted[file] = wanted[file] " " name[2]
        } else if (line ~ /^#include </) {
            if (line != "#include <config.h>")
                system_include[line] = 1
        } else if (line != "#ifndef " guard && line != "#define " guard && line !~ /^\/\* SPDX-[^*]*\*\/$/) {
            text[file, ++n] = line
            look(file, line)
        }
    }
    close(file)
    if (n == 0)
        fail(file ": can't be read, or is empty")
    if (file ~ /\.h$/ && text[file, n] == "#endif")
        n--
    while (text[file, n] == "")
        n--
    lines[file] = n
}

# Reads FILE and all that it includes, which comes before it.
function visit(file,    name, n, i)
{
    if (file in visited)
        return
    visited[file] = 1
    read_file(file)
    n = split(wanted[file], name, " ")
    for (i = 1; i <= n; i++)
        if (name[i] != "planner/arenaplan.h" || list)
            visit(name[i])
    if (file ~ /\.h$/)
        header[++headers] = file
}

# --- writing ---

function find_new_names(file,    name, n, i, part, stem)
{
    split("", new_name)
    stem = file
    sub(/.*\//, "", stem)
    sub(/\.c$/, "", stem)
    gsub(/-/, "_", stem)
    n = split(locals[file], name, " ")
    for (i = 1; i <= n; i++) {
        split(name[i], part, ":")
        if (part[1] != "macro" && (owners[part[1], part[2]] > 1 || (part[1], part[2]) in common))
            new_name[part[1], part[2]] = part[2] "_in_" stem
    }
}

# What WORD is, between the code BEFORE and AFTER it.
function kind_of(word, before, after)
{
    if (before ~ /(\.|->)$/ && before !~ /\.\.\.$/)
        return "member"
    if (before ~ /(^|[^A-Za-z_0-9])(struct|union|enum) $/)
        return "tag"
    # Members are what stands in lower case and is no type, which a name follows.
    if (in_struct && word ~ /^[a-z]/ && after !~ /^ \**[a-z]/)
        return "member"
    return "name"
}

function rewrite(code,    out, word, kind)
{
    out = ""
    while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
        out = out substr(code, 1, RSTART - 1)
        word = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
        kind = kind_of(word, out, code)
        if ((kind, word) in new_name)
            word = new_name[kind, word]
        else if (word in other_word)
            word = other_word[word]
        out = out word
    }
    return out code
}

# `const struct span *x = a, *y = b;` with a cast before a and b, which may be of type void *.
function with_casts(line,    type, part, n, i, out, at)
{
    if (line !~ /^ +(const )?((struct|enum|union) [a-z_0-9]+|[a-z_0-9]+_t|(unsigned )?char|double|bool) (\*const )?\*[^()]* = [^()]*;$/)
        return line
    match(line, /^ +(const )?((struct|enum|union) |unsigned )?[a-z_0-9]+ /)
    type = substr(line, 1, RLENGTH)
    out = type
    sub(/^ +/, "", type)
    n = split(substr(line, RLENGTH + 1, length(line) - RLENGTH - 1), part, ", ")
    for (i = 1; i <= n; i++) {
        at = index(part[i], " = ")
        if (part[i] ~ /^(\*const )?\*[a-z_0-9]+ = [a-z][a-z_0-9]*(->[a-z_0-9]+)*$/)
            part[i] = substr(part[i], 1, at + 2) "(" type stars_of(part[i]) ")" substr(part[i], at + 3)
        out = out (i > 1 ? ", " : "") part[i]
    }
    return out ";"
}

function stars_of(declared)
{
    sub(/[a-z_0-9]+ = .*/, "", declared)
    return declared
}

# What is at file scope gets internal linkage.  Empty: the line is left out.
function localised(file, line,    declared)
{
    if (file ~ /\.h$/ && line ~ /^extern /)
        return ""
    if (file ~ /\.h$/ && line ~ /^[a-z_A-Z].*\(/ && line !~ /^(static|typedef) /) {
        declared = substr(line, 1, index(line, "(") - 1)
        if (!(last_word(declared) in defined)) {
            in_absent = line !~ /;/
            return ""
        }
        line = "ARENAPLAN_LOCAL " line
    } else if (file ~ /\.c$/ && line ~ /^const .* = /) {
        line = "ARENAPLAN_LOCAL " line
    } else if (file ~ /\.h$/) {
        sub(/^static inline /, "ARENAPLAN_LOCAL inline ", line)
    }
    if (line ~ /^(ARENAPLAN_LOCAL )?void \*memory_/)
        sub(/void \*/, "ARENAPLAN_BLOCK ", line)
    return line
}

# A statement is held back until it ends: x ?: y is an extension of GNU's, and has to say so.
function write_statement(line)
{
    if (statement == "" && line !~ /^ +return /) {
        print line
        return
    }
    statement = statement == "" ? line : statement "\n" line
    if (line !~ /;( \/\*.*)?$/)
        return
    if (statement ~ /\?:/) {
        sub(/return /, "return __extension__(", statement)
        sub(/;/, ");", statement)
    }
    print statement
    statement = ""
}

function write_line(file, line,    i, out)
{
    # What goes on a declaration that is left out.
    if (in_absent) {
        in_absent = line !~ /;/
        return
    }
    if (!in_comment) {
        if (line ~ /^(struct|union) [A-Za-z_0-9]+ \{/)
            in_struct = 1
        if (line ~ /^[A-Za-z_]/) {
            line = localised(file, line)
            if (line == "")
                return
        }
        line = with_casts(line)
        if (line ~ /^ +_Atomic [a-z_0-9]+ /) {
            sub(/_Atomic /, "ARENAPLAN_ATOMIC(", line)
            sub(/\([a-z_0-9]+/, "&)", line)
        }
    }
    split_line(line)
    out = ""
    for (i = 1; i <= pieces; i++)
        out = out (is_code[i] ? rewrite(piece[i]) : piece[i])
    if (line ~ /^\}/)
        in_struct = 0
    write_statement(out)
}

function write_file(file,    i, n, name, part)
{
    find_new_names(file)
    print "\n/* --- " file " --- */\n"
    in_comment = in_struct = in_absent = 0
    statement = ""
    for (i = 1; i <= lines[file]; i++)
        if (text[file, i] != "" || (i > 1 && text[file, i - 1] != ""))
            write_line(file, text[file, i])
    n = split(locals[file], name, " ")
    for (i = 1; i <= n; i++) {
        split(name[i], part, ":")
        if (part[1] == "macro")
            print "#undef " part[2]
    }
}

# Whether others read a table of FILE's, which has to come before them.
function has_table(file,    i)
{
    for (i = 1; i <= lines[file]; i++)
        if (text[file, i] ~ /^const .* = /)
            return 1
    return 0
}

function write_system_includes(    n, name, sorted, i, k, other)
{
    n = 0
    for (name in system_include)
        sorted[++n] = name
    for (i = 2; i <= n; i++)
        for (k = i; k > 1 && sorted[k - 1] > sorted[k]; k--) {
            other = sorted[k]
            sorted[k] = sorted[k - 1]
            sorted[k - 1] = other
        }
    for (i = 1; i <= n; i++)
        if (sorted[i] != "#include <stdatomic.h>")
            print sorted[i]
}

function write_words()
{
    print ""
    print "#ifdef __cplusplus"
    print "namespace"
    print "{"
    print "/* As C has it: a struct that holds one can be assigned, which std::atomic would not be.  */"
    print "template <class T> struct arenaplan_atomic {"
    print "    T value;"
    print "    arenaplan_atomic(T from = T()) : value(from) {}"
    print "};"
    print "template <class T> T atomic_load_explicit(const arenaplan_atomic<T> *from, int order)"
    print "{"
    print "    return __atomic_load_n(&from->value, order);"
    print "}"
    print "template <class T, class U> void atomic_store_explicit(arenaplan_atomic<T> *to, U value, int order)"
    print "{"
    print "    __atomic_store_n(&to->value, static_cast<T>(value), order);"
    print "}"
    print "template <class T> T atomic_load(const arenaplan_atomic<T> *from)"
    print "{"
    print "    return __atomic_load_n(&from->value, __ATOMIC_SEQ_CST);"
    print "}"
    print "template <class T, class U> void atomic_store(arenaplan_atomic<T> *to, U value)"
    print "{"
    print "    __atomic_store_n(&to->value, static_cast<T>(value), __ATOMIC_SEQ_CST);"
    print "}"
    print "typedef arenaplan_atomic<bool> atomic_bool;"
    print "/* Memory has the type of what it is assigned to.  */"
    print "struct arenaplan_block {"
    print "    void *block;"
    print "    arenaplan_block(void *from) : block(from) {}"
    print "    template <class T> operator T *() const { return static_cast<T *>(block); }"
    print "};"
    print "}"
    print "#define memory_order_relaxed __ATOMIC_RELAXED"
    print "#define ARENAPLAN_ATOMIC(type) arenaplan_atomic<type>"
    print "#define ARENAPLAN_BLOCK arenaplan_block"
    print "#define ARENAPLAN_THREAD_LOCAL thread_local"
    print "#define ARENAPLAN_RESTRICT __restrict__"
    print "#else"
    print "#include <stdatomic.h>"
    print "#define ARENAPLAN_ATOMIC(type) _Atomic type"
    print "#define ARENAPLAN_BLOCK void *"
    print "#define ARENAPLAN_THREAD_LOCAL _Thread_local"
    print "#define ARENAPLAN_RESTRICT restrict"
    print "#endif"
    print "#define ARENAPLAN_NORETURN __attribute__((noreturn))"
    print "#define ARENAPLAN_LOCAL static __attribute__((unused))"
}

BEGIN {
    n = split("class new delete this template typename namespace using private public protected " \
              "friend try catch throw operator virtual and or not xor mutable explicit export", word, " ")
    for (i = 1; i <= n; i++)
        other_word[word[i]] = word[i] "_"
    other_word["_Noreturn"] = "ARENAPLAN_NORETURN"
    other_word["_Thread_local"] = "ARENAPLAN_THREAD_LOCAL"
    other_word["restrict"] = "ARENAPLAN_RESTRICT"

    for (i = 1; i < ARGC; i++)
        visit(ARGV[i])
    if (list) {
        for (file in visited)
            print file
        exit
    }
    write_system_includes()
    write_words()
    for (i = 1; i <= headers; i++)
        write_file(header[i])
    for (i = 1; i < ARGC; i++)
        if (has_table(ARGV[i]))
            write_file(ARGV[i])
    for (i = 1; i < ARGC; i++)
        if (!has_table(ARGV[i]))
            write_file(ARGV[i])
}
