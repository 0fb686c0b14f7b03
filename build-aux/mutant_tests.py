# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests are related to a source, and what they say of a broken one (see mutants)."""
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time

# Rooms whose tests ask about a folder of sources, besides the room of the same path: the first
# prefix of a file that is here counts.
RELATED = [
    ('lib/judge/', ['lib/judge', 'lib/lifetimes/t_loops', 'harness/run/t_comparison', 'harness/suite/t_suite.t',
                    'runtime/t_wrong_lives', 'harness/cli/lifetimes.sh', 'fuzz/fuzz_certificate']),
    ('lib/problem/', ['lib/problem', 'lib/judge', 'planner/library', 'fuzz/fuzz_instance_csv',
                      'fuzz/fuzz_plan_csv', 'solvers/t_golden', 'harness/cli/solve.sh',
                      'solvers/t_search_statistics', 'workloads/readers/t_megengine_dump']),
    ('lib/lifetimes/', ['lib/lifetimes', 'lib/judge', 'runtime/t_regions', 'runtime/t_bodies',
                        'runtime/t_wrong_lives', 'harness/run/t_nested', 'harness/cli/loops.sh',
                        'harness/cli/lifetimes.sh']),
    ('lib/graph/', ['lib/graph', 'lib/lifetimes', 'workloads/t_builder', 'workloads/t_networks',
                    'workloads/t_families', 'runtime/t_training', 'runtime/t_step', 'runtime/t_networks',
                    'workloads/readers/t_onnx_rules', 'workloads/readers/t_ncnn']),
    ('lib/base/statistics.c', ['lib/base/t_statistics', 'harness/report']),
    ('lib/base/', ['lib/base', 'lib/problem', 'lib/graph', 'harness/store', 'harness/suite/t_suite',
                   'harness/timing', 'fuzz/']),
    ('lib/place/', ['lib/place', 'planner/dives', 'planner/library', 'solvers/t_golden',
                    'solvers/t_solvers_same', 'solvers/t_pools', 'solvers/t_exhaustive',
                    'solvers/t_planted', 'solvers/t_ties', 'harness/report/reference.sh']),
    ('planner/dives/', ['planner/dives', 'planner/library', 'solvers/t_conformance',
                        'solvers/t_exhaustive', 'solvers/t_gadgets', 'solvers/t_planted',
                        'solvers/t_small_grids', 'harness/report/reference.sh']),
    ('planner/disjunctive/', ['planner/disjunctive', 'planner/library', 'lib/judge/check_certificate',
                        'lib/judge/t_certificate', 'solvers/t_branch_and_bound',
                        'solvers/t_exhaustive', 'solvers/t_small_grids', 'solvers/t_learning',
                        'harness/cli/t_certify', 'harness/report/reference.sh']),
    ('planner/library/', ['planner/library', 'planner/dives']),
    ('planner/', ['planner/sections', 'planner/library', 'planner/disjunctive', 'planner/dives',
                  'solvers/t_branch_and_bound', 'solvers/t_exhaustive', 'solvers/t_gadgets',
                  'solvers/t_planted', 'solvers/t_learning', 'solvers/t_small_grids',
                  'solvers/t_search_statistics', 'harness/report/reference.sh']),
    ('workloads/readers/', ['workloads/readers', 'fuzz/fuzz_onnx', 'fuzz/fuzz_ncnn',
                            'fuzz/fuzz_tflite', 'fuzz/fuzz_megengine', 'runtime/t_onnx_nodes',
                            'runtime/t_onnx_models', 'harness/cli/export.sh']),
    ('harness/store/', ['harness/store', 'harness/report/diff.sh', 'harness/report/t_report',
                        'fuzz/fuzz_optima', 'fuzz/fuzz_run_table', 'harness/sweep/t_sweep']),
    ('harness/sweep/', ['harness/sweep', 'harness/report/diff.sh', 'harness/report/t_report.t',
                        'harness/store/merge.sh', 'harness/store/t_store_provenance',
                        'fuzz/fuzz_experiment']),
    ('harness/suite/', ['harness/suite', 'harness/cli/suite.sh', 'harness/cli/full_disk.sh', 'fuzz/fuzz_suite']),
    ('harness/report/', ['harness/report', 'harness/cli/compare.sh', 'harness/sweep/rerun.sh']),
    ('harness/run/', ['harness/run', 'harness/cli/compare.sh', 'harness/cli/agree.sh',
                      'harness/sweep/deaths.sh', 'harness/sweep/t_sweep', 'solvers/t_search_statistics']),
    ('kernels/', ['kernels', 'runtime/t_blocked', 'runtime/t_step', 'harness/cli/conv.sh',
                  'harness/io/t_kernel_workspace']),
    ('runtime/', ['runtime', 'harness/timing/t_execution', 'harness/cli/run.sh']),
]
# Not asked: they build trees of their own, or draw everything.
NOT_ASKED = re.compile(r'kernels/(aarch64|lowered|disassembly)\.sh|planner/alone/'
                       r'|harness/report/(latex|figures|page|kernels)\.sh')
SECONDS = 10  # of processor time: a test that takes more is not asked either
SANITIZED = 12 # tests that are asked again with sanitizers, the likeliest ones
MEMORY = 6 << 30
OUTPUT = 1 << 30
# How a test is given process numbers of its own, so that whatever it ends is its own: a shell has
# number 1 there, which signals pass by.  Empty where that can't be.
APART = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', '"$@"; exit $?', 'sh']
if not shutil.which('unshare') or subprocess.run(
        [*APART, 'true'], stderr=subprocess.DEVNULL, check=False).returncode != 0:
    APART = []


def words(path):
    return set(re.split(r'[/_.-]', path)) - {'t', 'c', 'sh', 'tests', 'lib', 'fuzz', ''}


class Suite:
    """The compiled tree: commands, tests, and what they say of unbroken sources."""

    def __init__(self, work):
        self.work = os.path.abspath(work)
        self.source = os.path.join(self.work, 'tree')
        self.compile, self.commands = {}, {}
        self.plain, self.locks, self.lock = {}, {}, threading.Lock()
        self.kept = os.path.join(self.work, 'unbroken.json')
        if os.path.exists(self.kept):
            with open(self.kept, encoding='utf-8') as file:
                self.plain = json.load(file)
        self.noticed = {}
        with open(os.path.join(self.work, 'build.log'), encoding='utf-8', errors='replace') as log:
            for line in log.read().replace('\\\n', ' ').splitlines():
                self.note(line)
        self.tests = [t for t in self.listed() if not NOT_ASKED.search(t)]

    def note(self, line):
        """Keeps a command that compiles or links."""
        compiled = re.search(r'(?:^|[;&] *)(\S[^;&]*? -c -o (\S+\.o) (?:`[^`]*`)?(\S+\.c))(?= |$)', line)
        linked = re.fullmatch(r'\s*(\S.* -o (\S+) \S+\.o .*)', line)
        if compiled:
            file = os.path.normpath(compiled.group(3))
            flags = re.sub(r'-MT \S+|-M[DP]|-MF \S+|`[^`]*`', '', compiled.group(1))
            self.compile.setdefault(file, {})[compiled.group(2)] = shlex.split(flags)
        elif linked and ' -c ' not in line:
            self.commands[linked.group(2)] = shlex.split(linked.group(1))

    def listed(self):
        """Test programs and scripts, as the suite has them."""
        for top, _, names in os.walk(os.path.join(self.source, 'tests')):
            for name in names:
                path = os.path.relpath(os.path.join(top, name), self.source)
                if re.fullmatch(r'(t|fuzz)_.*\.c', name):
                    path = path[:-2] + '.t'
                    if path in self.commands:
                        yield path
                elif name.endswith('.sh') and os.access(os.path.join(top, name), os.X_OK):
                    yield path

    def learn(self, rows):
        for row in rows:
            if row['result'] in ('caught', 'time limit', 'sanitizer'):
                self.reward(row['file'], row['by'].split(':')[0])

    def reward(self, file, test):
        for key in (file, test), (os.path.dirname(file), test):
            self.noticed[key] = self.noticed.get(key, 0) + 1

    def related(self, file, room_alone):
        """Tests to ask about FILE, of its room or all: those that noticed faults of it, those that
        are called like it, those that noticed most in its room, then the quickest."""
        room = 'tests/' + os.path.dirname(file) + '/'
        while not any(t.startswith(room) for t in self.tests): # runtime/operators: in runtime
            room = os.path.dirname(room[:-1]) + '/'
        rooms = next((r for prefix, r in RELATED if file.startswith(prefix)), [])
        tests = [t for t in self.tests if t.startswith(room) or
                 not room_alone and any(t.startswith('tests/' + r) for r in rooms)]
        return sorted(tests, key=lambda t: (
            -self.noticed.get((file, t), 0), t.endswith('.sh'),
            -len(words(file[:-2]) & words(t)),
            -self.noticed.get((os.path.dirname(file), t), 0), not t.startswith(room),
            self.plain.get(t + ' ', (True, 0))[1], t))

    def unbroken(self, test, kind, ask):
        """(passes, seconds, members of libraries that it was linked with) of TEST, linked without
        a broken object.  KIND: '' or 'sanitized'.  Kept in WORK/unbroken.json."""
        name = f'{test} {kind}'
        with self.lock:
            lock = self.locks.setdefault(name, threading.Lock())
        with lock:
            if self.plain.get(name, [None])[-1] != self.age(test):
                result, seconds, members = ask()
                self.plain[name] = [result == 'passes', seconds, members, self.age(test)]
                if result != 'passes':
                    print(f'{test}: not asked, without a fault {result} {kind}', flush=True)
                with self.lock, open(self.kept, 'w', encoding='utf-8') as out:
                    json.dump(self.plain, out)
            return self.plain[name][:3]

    def age(self, test):
        """What changes when a test was compiled, or written, anew."""
        return os.path.getmtime(os.path.join(self.source, test))


class Tester:
    """A worker's own copy of the compiled tree."""

    def __init__(self, suite, number):
        self.suite = suite
        self.tree = os.path.join(suite.work, f'tree-{number}')
        self.scratch = os.path.join(suite.work, f'scratch-{number}')
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(suite.source, self.tree, copy_function=self.keep, symlinks=True)

    @staticmethod
    def keep(source, target):
        """Objects are shared, what links write is not; the programs of tests are linked when
        they are asked."""
        if source.endswith(('.o', '.a')):
            os.link(source, target)
        elif not source.endswith('.t'):
            shutil.copy2(source, target)

    def command(self, argv, **more):
        return subprocess.run(argv, cwd=self.tree, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)

    def broken(self, file, text, flags):
        """The objects of FILE when it reads TEXT; none when it does not compile."""
        objects = []
        path = os.path.join(self.scratch, 'broken.c')
        for name, argv in self.suite.compile[file].items():
            objects.append(os.path.join(self.scratch, os.path.basename(name)))
            with open(path, 'w', encoding='utf-8') as out:
                out.write(f'# 1 "{argv[-1]}"\n{text}')
            if self.command([*argv[:-3], '-O1', '-g0', '-Wno-error', '-Werror=int-conversion',
                             '-Werror=incompatible-pointer-types', *flags,
                             '-o', objects[-1], path]).returncode != 0:
                return []
        return objects

    def link(self, program, objects, flags):
        """Members of libraries that PROGRAM was linked with, behind OBJECTS; None: it can't be."""
        argv = list(self.suite.commands[program])
        path = os.path.join(self.tree, program)
        if os.path.exists(path):
            os.unlink(path)
        at = next(i for i, word in enumerate(argv) if word.endswith('.o')) + 1
        linked = subprocess.run([*argv[:at], *objects, '-s', '-Wl,-t,-t', *flags, *argv[at:]],
                                cwd=self.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=False)
        if linked.returncode != 0:
            return None
        return sorted(set(re.findall(r'([\w.-]+\.o)\b', linked.stdout.decode())))

    def programs(self, test):
        """What must be linked for a test."""
        if test.endswith('.t'):
            return [test]
        with open(os.path.join(self.suite.source, test), encoding='utf-8') as file:
            text = file.read()
        return ['arenabench'] + [p for p in self.suite.commands if p.startswith('tests/') and
                                 not p.endswith('.t') and os.path.basename(p) in text]

    def environment(self):
        temporary = os.path.join(self.scratch, 'tmp')
        shutil.rmtree(temporary, ignore_errors=True)
        os.makedirs(temporary)
        environment = dict(os.environ, top_srcdir=self.tree, top_builddir=self.tree,
                           TMPDIR=temporary, ARENABENCH_TEST_TIER='small',
                           ASAN_OPTIONS='detect_leaks=0:allocator_may_return_null=1')
        for name in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS'):
            environment.pop(name, None)
        return environment

    def ask(self, test, objects, flags, seconds):
        """What TEST says, seconds of processor time that it took, members that it was linked with.
        The answer: passes, fails, ends at the time limit (SECONDS of processor time), or does not
        link."""
        members = []
        for program in self.programs(test):
            more = self.link(program, objects, flags)
            if more is None:
                return 'does not link', 0, []
            members += more
        argv = [os.path.join(self.tree, test)] if test.endswith('.t') else \
            ['sh', os.path.join(self.tree, test)]

        def limits():
            for what, most in ((resource.RLIMIT_CPU, int(seconds) + 1), (resource.RLIMIT_CORE, 0),
                               (resource.RLIMIT_FSIZE, OUTPUT)):
                resource.setrlimit(what, (most, most))
            if not flags: # shadow memory is address space
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        child = subprocess.Popen([*APART, *argv], cwd=self.tree, env=self.environment(),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, start_new_session=True,
                                 preexec_fn=limits)
        watch = threading.Timer(10 * seconds + 60, os.killpg, (child.pid, signal.SIGKILL))
        watch.start()
        try:
            return *self.listen(child), members
        finally:
            watch.cancel()
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.stdout.close()
            child.wait()

    @staticmethod
    def listen(child):
        plan, count = None, 0
        for line in child.stdout:
            if line.startswith(b'not ok') and b'# TODO' not in line:
                return 'fails', 0
            count += line.startswith(b'ok ')
            if re.match(rb'1\.\.\d+', line):
                plan = int(line.split()[0][3:])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL,
                                128 + signal.SIGXCPU, 128 + signal.SIGKILL):
            return 'ends at the time limit', seconds
        good = child.returncode == 0 and plan in (count, 0)
        return 'passes' if good else 'fails', seconds

    def changes_nothing(self, file, text):
        """Whether a compiler that optimises makes the same of TEXT as of FILE."""
        with open(os.path.join(self.suite.source, file), encoding='utf-8') as original:
            texts = [original.read(), text]
        codes = [], []
        for code, one in zip(codes, texts):
            for path in self.broken(file, one, ['-O2']):
                with open(path, 'rb') as compiled:
                    code.append(compiled.read())
        return codes[0] == codes[1]

    def judge(self, file, text):
        """(result, by which test, seconds) of FILE when it reads TEXT."""
        begin = time.monotonic()
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        if self.changes_nothing(file, text):
            return 'same code', '', time.monotonic() - begin
        result, by = self.try_tests(file, text, [])
        if result == 'survived':
            result, by = self.try_tests(
                file, text, ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'])
            result = 'survived' if result == 'survived' else 'sanitizer'
        if by:
            self.suite.reward(file, by)
        return result, by, time.monotonic() - begin

    def try_tests(self, file, text, sanitizers):
        objects = self.broken(file, text, sanitizers)
        if not objects:
            return 'does not compile', ''
        kind = 'sanitized' if sanitizers else ''
        names = {os.path.basename(path) for path in objects}
        related = self.suite.related(file, sanitizers != [])
        for test in related[:SANITIZED if sanitizers else None]:
            passes, seconds, members = self.suite.unbroken(
                test, kind, lambda t=test: self.ask(t, [], sanitizers, SECONDS))
            if not passes or names.isdisjoint(members):
                continue
            result, _, _ = self.ask(test, objects, sanitizers, 3 * seconds + 2)
            if result == 'fails':
                return 'caught', test
            if result == 'ends at the time limit':
                return 'time limit', test
        return 'survived', ''
