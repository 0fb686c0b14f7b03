# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults by rule: where a C file could be broken by one token.

A fault is one stretch of text replaced by another, within a function as clang-format lays it
out (its braces alone on a line, in the first column).  Comments, texts and directives are left
alone, and so are asserts, invariants (empty without --enable-checks), what frees memory (a leak
changes no answer) and lines that end processes or remove files (a wrong one would not stay in
the tests).  """
import hashlib
import re

HIDDEN = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*',
    re.S | re.M)
BODY = re.compile(r'^\{$.*?^\}', re.S | re.M)
SPARED = re.compile(r'\b(assert|static_assert|CHECK_INVARIANT|CHECK|memory_exhausted|free|release'
                    r'|\w+_(free|release|clear|close)|kill|unlink|rmdir|remove|rename|memset'
                    r'|setrlimit)\(')
MOVED = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
OPPOSITE = {'min64(': 'max64(', 'max64(': 'min64(', 'fmin(': 'fmax(', 'fmax(': 'fmin('}
# What begins like a statement of its own: a call, an assignment, a jump, or ++ and --.
STATEMENT = re.compile(
    r'(?<=[;{})])\n\s+((?!return\b|goto\b|if\b|for\b|while\b|do\b|else\b|switch\b|case\b|default\b)'
    r'(?:break|continue|\*?[a-z_][\w.>\[\]\-+* ]*?\s*(?:\(|(?:[-+*/|&^%]|<<|>>)?=(?!=)|\+\+|--)'
    r'[^;{}]*));')
DECLARED = re.compile(r'^(const |static |struct |enum |union |unsigned |\w+ \**\w+)')
# Of two arguments in any order.
COMMUTES = ('min64', 'max64', 'fmin', 'fmax', 'gcd64', 'checked_add', 'checked_mul')
EQUAL = re.compile(r'\) [!=]= 0')
SIMPLE = r'[\w.>\[\]\-]+'
SWAPPED = re.compile(r'\b([a-z_]\w*)\(((?:&)?' + SIMPLE + r'), ((?:&)?' + SIMPLE + r')(?=[,)])')


class Site:
    """A fault: TEXT[begin:end] becomes NEW.  The key knows no line number, so that it stays
    what it is when other lines of the file change."""

    def __init__(self, file, text, rule, span, new):
        begin, end = span
        self.file, self.rule, self.begin, self.end, self.new = file, rule, begin, end, new
        self.line = text.count('\n', 0, begin) + 1
        first = text.rfind('\n', 0, begin) + 1
        last = text.find('\n', end)
        self.before = ' '.join(text[first:last].split())
        self.after = ' '.join((text[first:begin] + new + text[end:last]).split())
        self.key = None

    def apply(self, text):
        return text[:self.begin] + self.new + text[self.end:]


def hide(text):
    """TEXT with blanks for comments, literals and directives, at equal length."""
    return HIDDEN.sub(lambda m: re.sub(r'[^\n]', ' ', m.group()), text)


def closing(text, opening):
    """Where the parenthesis at OPENING closes."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {'(': 1, ')': -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def operators(code, begin, end):
    for m in re.compile(r'(?<= )(<=|>=|<|>|==|!=)(?=[ \n])').finditer(code, begin, end):
        yield 'relation', m.span(), MOVED[m.group()]
    for m in re.compile(r'(?<= )(&&|\|\|)(?=[ \n])').finditer(code, begin, end):
        yield 'logic', m.span(), '||' if m.group() == '&&' else '&&'
    for m in re.compile(r'(?<=[\w)\]] )([-+])(?=[ \n])').finditer(code, begin, end):
        yield 'sum', m.span(), '-' if m.group() == '+' else '+'


def constants(code, begin, end):
    for m in re.compile(r'(?<![\w.])\d+(?![\w.])').finditer(code, begin, end):
        if code[m.start() - 1] != '-': # -1 says that there is none, as any negative number does
            yield 'constant', m.span(), str(int(m.group()) + 1)
        if int(m.group()) > 0:
            yield 'constant', m.span(), str(int(m.group()) - 1)
    for m in re.compile(r'\breturn (true|false);').finditer(code, begin, end):
        yield 'answer', m.span(1), 'false' if m.group(1) == 'true' else 'true'


def calls(code, begin, end):
    for m in re.compile(r'\b(min64|max64|fmin|fmax)\(').finditer(code, begin, end):
        yield 'extreme', m.span(), OPPOSITE[m.group()]
    for m in SWAPPED.finditer(code, begin, end): # keywords stand before a blank
        equal = m.group(1) == 'strcmp' and EQUAL.match(code, m.end())
        if m.group(2) != m.group(3) and m.group(1) not in COMMUTES and not equal:
            yield 'swap', (m.start(2), m.end(3)), m.group(3) + ', ' + m.group(2)


def flow(code, text, begin, end):
    for m in re.compile(r'\b(?:if|while) \(').finditer(code, begin, end):
        last = closing(code, m.end() - 1)
        yield 'negate', (m.end(), last), '!(' + text[m.end():last] + ')'
    for m in STATEMENT.finditer(code, begin, end):
        if not DECLARED.match(m.group(1)):
            yield 'remove', m.span(1), ''
    head = code[code.rfind('\n\n', 0, begin):begin]
    if re.search(r'^(static )?(inline )?void \w+\(', head, re.M):
        yield 'early', (begin + 1, begin + 1), '\n    return;'


def sites(file, text):
    """All faults of a file, each with a key of its own."""
    code = hide(text)
    found, seen = [], {}
    for body in BODY.finditer(code):
        span = body.span()
        for rule, where, new in [*operators(code, *span), *constants(code, *span),
                                 *calls(code, *span), *flow(code, text, *span)]:
            line = code[code.rfind('\n', 0, where[0]) + 1:code.find('\n', where[1])]
            if not SPARED.search(line) or rule == 'early':
                found.append(Site(file, text, rule, where, new))
    for site in found:
        name = '|'.join((file, site.rule, site.before, site.after))
        seen[name] = seen.get(name, 0) + 1
        digest = hashlib.sha256(f'{name}|{seen[name]}'.encode()).hexdigest()
        site.key = digest[:12]
    return found


def choose(sites_of, count, seed):
    """COUNT faults out of {file: [site]}: files in turn, in each the rules in turn.  Order hangs
    on keys and the seed alone, so that a change of one file leaves the others' faults."""
    def mixed(word):
        return hashlib.sha256(f'{seed}|{word}'.encode()).hexdigest()

    queues = []
    for file in sorted(sites_of, key=mixed):
        rules = {}
        for site in sorted(sites_of[file], key=lambda s: mixed(s.key)):
            rules.setdefault(site.rule, []).append(site)
        turns = [(rank, mixed(file + rule), site) for rule, those in rules.items()
                 for rank, site in enumerate(those)]
        queues.append([site for _, _, site in sorted(turns, key=lambda t: t[:2])])
    chosen = []
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen
