"""One-liners of interpreters: what they do, and that those which do nothing say nothing.

An expectation is a line for each effect: `rm -rf x` a call, `> x` a file that is written, `$ x` a command line for a
shell, `?` a doubt; holes are shown as `…`, and `cwd: ` stands before a call that is elsewhere.
"""

import os
import random
import shutil
import subprocess
import sys
import time

import pytest

from memdir.shell.arguments import ANY, NAME, STAR, known, shown
from memdir.shell.code import MAX_CODE, implied, language

HERE = "/w"
INTERPRETERS = {"python": sys.executable, "node": "node", "perl": "perl"}


def effects(interpreter: str, code: str) -> "list[str]":
    found = implied(interpreter, code, HERE, home="/home/me")
    lines = []
    for call in found.calls:
        place = "" if call.cwd == HERE else f"{call.cwd}: "
        lines += [place + " ".join([shown(word) for word in call.argv])] if call.argv else []
        lines += [f"{place}> {shown(path)}" for path in call.writes]
    lines += [f"$ {command.replace(ANY, '…').replace(NAME, '…')}" for command in found.commands]
    return lines + ["?"] * bool(found.doubt)


def table(interpreter: str, *rows: "tuple[str, str]"):
    return [
        pytest.param(interpreter, code, lines.split("\n") if lines else [], id=f"{interpreter} {code[:60]}")
        for code, lines in rows
    ]


# What is run for real as well. The folder holds victim/a.txt, victim/b.txt, file.txt ("old") and keep.txt.

PYTHON = [
    ("import shutil; shutil.rmtree('victim')", "rm -rf victim"),
    ("import shutil as s\ns.rmtree(path='victim', ignore_errors=True)", "rm -rf victim"),
    ("from shutil import rmtree as r\np = 'vic' 'tim'\nr(p)", "rm -rf victim"),
    ("__import__('shutil').rmtree(b'victim'.decode())", "rm -rf victim"),
    ("import shutil; getattr(shutil, 'rm' + 'tree')('victim')", "rm -rf victim"),
    ("import importlib; importlib.import_module('shutil').rmtree('''victim''')", "rm -rf victim"),
    ("from shutil import *\nrmtree(r'victim')", "rm -rf victim"),
    ("import os; os.remove('file.txt')", "rm file.txt"),
    ("import os; os.unlink(os.path.join('victim', 'a.txt'))", "rm victim/a.txt"),
    ("from pathlib import Path; Path('file.txt').unlink()", "rm file.txt"),
    ("import pathlib; (pathlib.Path('victim') / 'a.txt').unlink(missing_ok=True)", "rm victim/a.txt"),
    ("from pathlib import Path\nd = Path('victim')\nfor n in ('a', 'b'):\n    d.joinpath(f'{n}.txt').unlink()",
     "rm victim/a.txt\nrm victim/b.txt"),
    ("open('new', 'w').write('x')", "> new"),
    ("open('file.txt', mode='a').write('x')", "> file.txt"),
    ("with open('new', 'xb') as f: f.write(b'x')", "> new"),
    ("f = open('file.txt', 'r+'); f.write('x'); f.close()", "> file.txt"),
    ("import io; io.open('new', 'w').close()", "> new"),
    ("from pathlib import Path; Path('new').write_text('x')", "> new"),
    ("from pathlib import Path; Path('new').open('w').close(); Path('two').touch()", "> new\n> two"),
    ("import os; os.close(os.open('new', os.O_WRONLY | os.O_CREAT))", "> new"),
    ("import shutil; shutil.copy('file.txt', 'new')", "cp file.txt new"),
    ("import shutil; shutil.move(dst='new', src='file.txt')", "mv file.txt new"),
    ("import os; os.rename('file.txt', 'new'); os.replace('keep.txt', 'other')", "mv file.txt new\nmv keep.txt other"),
    ("import os; os.symlink('file.txt', 'new'); os.link('file.txt', 'hard')", "ln -s file.txt new\nln file.txt hard"),
    ("from pathlib import Path; Path('new').symlink_to('file.txt'); Path('file.txt').rename('n2')",
     "ln -s file.txt new\nmv file.txt n2"),
    ("import shutil; shutil.copytree('victim', 'new')", "cp -r victim new"),
    ("import os; os.system('rm -rf victim')", "$ rm -rf victim"),
    ("import subprocess; subprocess.run(['rm', '-rf', 'victim'], check=True)", "rm -rf victim"),
    ("import subprocess as sp; sp.check_call('rm -rf ' + 'victim', shell=True)", "$ rm -rf victim"),
    ("from subprocess import Popen; Popen(args=('rm', 'file.txt')).wait()", "rm file.txt"),
    ("import os; os.popen('rm file.txt').read()", "$ rm file.txt"),
    ("import os; os.execvp('rm', ['rm', '-rf', 'victim'])", "rm -rf victim"),
    ("import os; os.execlp('rm', 'rm', 'file.txt')", "rm file.txt"),
    ("exec('import os; os.remove(\"file.txt\")')", "rm file.txt"),
    ("eval(compile('__import__(\"os\").remove(\"file.txt\")', '', 'eval'))", "rm file.txt"),
    ("import os\ndef clean(name, *, twice=False):\n    os.remove(name)\nclean('file.txt')", "rm file.txt"),
    ("import os; list(map(os.remove, ['file.txt', 'keep.txt']))", "rm file.txt\nrm keep.txt"),
    ("import os; [os.remove(n) for n in ['file.txt']]", "rm file.txt"),
    ("import os; (lambda name: os.remove(name))('file.txt')", "rm file.txt"),
    ("import shutil\nx = 'keep.txt'\nx = 'victim'\nshutil.rmtree(x)", "rm -rf victim"),
    ("print('rm -rf victim')  # shutil.rmtree('victim')", ""),
    ("import sys; print(sys.version)", ""),
    ("import re; print(re.sub(r'\\d', '', 'open(1)'), 'a'.replace('a', 'b'), {}.copy())", ""),
    ("x = [1]; x.remove(1); s = {1}; s.remove(1); s.copy()", ""),
    ("import os; print(os.path.exists('victim'), os.getcwd(), os.listdir('.'))", ""),
    ("import subprocess; print(subprocess.PIPE); getattr(subprocess, 'run')", ""),
]  # fmt: skip
NODE = [
    ("require('fs').rmSync('victim', {recursive: true, force: true})", "rm -rf victim"),
    ("const fs = require('node:fs'); fs.rmSync(`victim`, {'recursive': true})", "rm -rf victim"),
    ("const {rmSync: del} = require('fs'); const p = 'victim'; del(p, { recursive: true })", "rm -rf victim"),
    ("require('fs')['rm' + 'Sync']('victim', {recursive: true})", "rm -rf victim"),
    ("require('fs').promises.rm('victim', {recursive: true}).then(() => console.log(1))", "rm -rf victim"),
    ("require('fs/promises').rm('victim', {recursive: true})", "rm -rf victim"),
    ("require('fs').rm('victim', {recursive: true}, () => {})", "rm -rf victim"),
    ("require('fs').rmSync('file.txt')", "rm file.txt"),
    ("require('fs').unlinkSync(require('path').join('victim', 'a.txt'))", "rm victim/a.txt"),
    ("const d = 'victim'; ['a', 'b'].forEach(n => require('fs').unlinkSync(`${d}/${n}.txt`))",
     "rm victim/a.txt\nrm victim/b.txt"),
    ("const fs = require('fs')\nconst l = ['file.txt']\nfor (const n of l) {\n  fs.unlinkSync(n)\n}", "rm file.txt"),
    ("require('fs').writeFileSync('new', 'x')", "> new"),
    ("const fs=require('fs');fs.appendFileSync('file.txt','x')//fs.unlinkSync('keep.txt')", "> file.txt"),
    ("require('fs').closeSync(require('fs').openSync('new', 'w'))", "> new"),
    ("require('fs').createWriteStream('new').end('x')", "> new"),
    ("require('fs').copyFileSync('file.txt', 'new')", "cp file.txt new"),
    ("require('fs').renameSync('file.txt', 'new')", "mv file.txt new"),
    ("require('fs').symlinkSync('file.txt', 'new')", "ln -s file.txt new"),
    ("require('child_process').execSync('rm -rf victim')", "$ rm -rf victim"),
    ("const {spawnSync} = require('child_process'); spawnSync('rm', ['-rf', 'victim'])", "rm -rf victim"),
    ("require('child_process').execFileSync('rm', ['file.txt'])", "rm file.txt"),
    ("require('child_process').execSync(['rm', 'file.txt'].join(' '))", "$ rm file.txt"),
    ("eval(\"require('fs').unlinkSync('file.txt')\")", "rm file.txt"),
    ("console.log('fs.rmSync', \"unlinkSync('x')\", `rm -rf ${1 + 1}`) /* eval(x) */", ""),
    ("console.log(/['\"]fs.rmSync(x)/.test('a'), 4 / 2 / 1)", ""),
    ("const x = {rmSync: 1, exec: 'rm'}; console.log(x.rmSync, /a/.exec('a'))", ""),
    ("console.log(process.version, process.cwd(), [1, 2].map(x => x * 2).join())", ""),
]  # fmt: skip
PERL = [
    ("unlink 'file.txt'", "rm file.txt"),
    ("unlink('file.txt', q{keep.txt}) or die", "rm file.txt\nrm keep.txt"),
    ("unlink qw(file.txt keep.txt)", "rm file.txt\nrm keep.txt"),
    ("use File::Path; rmtree('victim')", "rm -rf victim"),
    ("use File::Path qw(remove_tree); my $d = 'victim'; remove_tree($d);", "rm -rf victim"),
    ("require File::Path; File::Path::remove_tree(\"victim\")", "rm -rf victim"),
    ("open(my $f, '>', 'new') or die; print $f 'x'; close $f", "> new"),
    ("open F, \">>file.txt\"; print F 'x'", "> file.txt"),
    ("rename 'file.txt', 'new'", "mv file.txt new"),
    ("use File::Copy; copy('file.txt', 'new'); move('keep.txt', 'k2')", "cp file.txt new\nmv keep.txt k2"),
    ("symlink('file.txt', 'new'); link('file.txt', 'hard')", "ln -s file.txt new\nln file.txt hard"),
    ("system('rm -rf victim')", "$ rm -rf victim"),
    ("system 'rm', '-rf', 'victim'", "rm -rf victim"),
    ("my $d = 'victim'; my $x = `rm -rf $d`;", "$ rm -rf victim"),
    ("qx{rm file.txt}; exec 'rm keep.txt'", "$ rm file.txt\n$ rm keep.txt"),
    ("for my $n ('a', 'b') { unlink \"victim/$n.txt\" }", "rm victim/a.txt\nrm victim/b.txt"),
    ("unlink $_ for 'file.txt'", "rm -- …"),
    ("eval { unlink 'file.txt' }; eval q(unlink 'keep.txt');", "rm file.txt\nrm keep.txt"),
    ("$_ = 'x'; s/x/unlink 'file.txt'/e", "rm file.txt"),
    ("print \"unlink 'file.txt'\\n\" if 'x' =~ /x/; # unlink 'x'", ""),
    ("$_ = \"it's\"; s/'//g; s{'}{\"}; tr/a-z'/A-Z\"/; y/a/b/; print if m#unlink 'x'#", ""),
    ("my %h = (unlink => 1, s => 2); print $h{unlink}, $h{s} / 2, -s 'file.txt'", ""),
    ("print <<'E';\nunlink 'file.txt'\nE\n", ""),
]  # fmt: skip
REAL = table("python", *PYTHON) + table("node", *NODE) + table("perl", *PERL)


@pytest.mark.parametrize(("interpreter", "code", "expected"), REAL)
def test_an_effect_is_named(interpreter, code, expected):
    assert effects(interpreter, code) == expected


def _folder(path):
    (path / "victim").mkdir(parents=True)
    for name in ("victim/a.txt", "victim/b.txt", "file.txt", "keep.txt"):
        (path / name).write_text("old")
    return path


def _state(path) -> "dict[str, bool]":
    """What is there, and whether a file is as it was."""
    return {
        str(found.relative_to(path)): not found.is_file() or found.read_text() == "old" for found in path.rglob("*")
    }


def _perform(code: str, interpreter: str, path) -> None:
    found = implied(interpreter, code, str(path))
    for call in found.calls:
        if call.argv:
            subprocess.run(call.argv, cwd=call.cwd, check=True)
        for name in call.writes:
            with open(os.path.join(call.cwd, name), "a") as file:
                file.write("x")
    for command in found.commands:
        subprocess.run(["sh", "-c", command], cwd=path, check=True)


@pytest.mark.parametrize(
    ("interpreter", "code"),
    [
        pytest.param(*row.values[:2], id=row.id)
        for row in REAL
        if all([known(line) and "…" not in line for line in row.values[2]])
    ],
)
def test_the_calls_do_what_the_code_does(interpreter, code, tmp_path):
    if shutil.which(INTERPRETERS[interpreter]) is None:
        pytest.skip(f"no {interpreter}")
    real, ours = _folder(tmp_path / "real"), _folder(tmp_path / "ours")
    option = "-c" if interpreter == "python" else "-e"
    done = subprocess.run(
        [INTERPRETERS[interpreter], option, code], cwd=real, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    _perform(code, interpreter, ours)
    changed, same = _state(real), dict.fromkeys(_state(ours))
    assert sorted(changed) == sorted(same)
    touched = {name for name, as_it_was in changed.items() if not as_it_was}
    assert touched <= {name for name, as_it_was in _state(ours).items() if not as_it_was}


# What is only known when it runs, reads, and other languages


@pytest.mark.parametrize(
    ("interpreter", "code", "expected"),
    table(
        "python3",
        ("import sys, shutil; shutil.rmtree(sys.argv[1])", "rm -rf -- …"),
        ("import shutil; shutil.rmtree(input())", "rm -rf -- …"),
        ("import os\nfor n in os.listdir('d'): os.remove('d/' + n)", "rm d/…"),
        ("import os\nfor r, d, f in os.walk('b'):\n  for n in f: os.remove(os.path.join(r, n))", "rm b/…\nrm b/…/…"),
        ("import glob, os\nfor n in glob.glob('m/*.sql'): os.remove(n)", "rm m/*.sql"),
        ("from pathlib import Path\nfor p in Path('m').glob('*.sql'): p.unlink()", "rm m/*.sql"),
        ("from pathlib import Path\nfor p in Path('.').rglob('*.pyc'): p.unlink()", "rm ./…*.pyc"),
        ("from pathlib import Path\np = Path('m')\nfor x in p.iterdir(): x.write_text('')", "> m/…"),
        ("import os; os.remove('-rf')", "rm -- -rf"),
        ("import shutil, os; shutil.rmtree(os.path.expanduser('~/x')); shutil.rmtree(os.environ['HOME'])",
         "rm -rf /home/me/x\nrm -rf /home/me"),
        ("import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)", "rm -rf /tmp/…"),
        ("import os; os.chdir('sub'); os.remove('x'); os.system('ls')", "/w/sub: rm x\n$ cd -- '/w/sub' && ls"),
        ("import subprocess; subprocess.run(['ls'], cwd='/x'); subprocess.run('a', shell=True, cwd='/x')",
         "/x: ls\n$ cd -- '/x' && a"),
        ("import subprocess, sys; subprocess.run([sys.executable, '-m', 'pip', *sys.argv])", "python3 -m pip …"),
        ("import subprocess\ndef sh(c): return subprocess.run(c, shell=True)\nsh('git status'); sh('ls')",
         "$ git status\n$ ls"),
        ("import os; m = input(); os.system(f'git commit -m {m}')", "$ git commit -m …"),
        ("import os; os.system(input())", "?"),
        ("import subprocess; subprocess.run(cmd)", "?"),
        ("import base64; exec(base64.b64decode('cHJpbnQoMSk='))", "?"),
        ("import os; os.system(bytes.fromhex('6c73').decode())", "?"),
        ("import os, sys; getattr(os, sys.argv[1])('x')", "?"),
        ("exec(open('x.py').read())", "cat x.py\n?"),
        ("import os; os.remove('x'", "?"),
        ("import shutil, sys; shutil.rmtree('a' if len(sys.argv) > 1 else 'b')", "rm -rf a\nrm -rf b"),
        ("import os\nif 1:\n  p = 'a'\nelse:\n  p = 'b'\nos.remove(p)", "rm a\nrm b"),
        ("import os\np = 'a'\nwhile p:\n  os.remove(p)\n  p = next_one()", "rm -- …"),
        ("import os\nclass A:\n  def go(self, p): os.remove(p)\nA().go('x')", "rm -- …"),
        ("import threading, shutil; threading.Thread(target=shutil.rmtree, args=('x',)).start()", "rm -rf x"),
        ("import atexit, os; atexit.register(os.remove, 'x')", "rm x"),
        ("import os\ntry:\n  p = 'a'\nfinally:\n  os.remove(p)", "rm a"),
        ("import json; json.dump({}, open('a.json', 'w'))", "> a.json"),
        ("import json; d = json.load(open('a.json')); d['x'] = 1\njson.dump(d, open('a.json', 'w'))",
         "cat a.json\n> a.json"),
        ("p = 'a.py'; s = open(p).read().replace('x', 'y'); open(p, 'w').write(s)", "cat a.py\n> a.py"),
        ("import os; os.makedirs('a/b', exist_ok=True)", "mkdir -p a/b"),
        ("import subprocess; subprocess.run(['bash'], input='rm -rf x', text=True)", "bash"),
        ("import builtins; builtins.open('x', 'w')", "> x"),
        ("print(open('x').read())", "cat x"),
        ("import json,sys; print(json.load(sys.stdin)['version'])", ""),
        ("import sys\nfor line in sys.stdin: print(line.split()[0].strip())", ""),
        ("import urllib.parse as u; print(u.quote('rm -rf /'))", ""),
        ("import platform; print(platform.system())", ""),
        ("import os; print(os.environ.get('HOME'), os.sep.join(['a']))", ""),
        ("import ast; ast.literal_eval('[1]')", ""),
        ("import pandas as pd; df = pd.DataFrame(); df = df.rename(columns={}); df.eval('a+b')", ""),
        ("x = 'import os; os.remove(1)'; print(len(x))", ""),
        ("import hashlib; print(hashlib.sha256(b'x').hexdigest()[:8])", ""),
        ("print 'hello'", ""),
        ("help(open); print(exec, eval)", ""),
        ("import time; time.sleep(1); print('%s' % 'rm', '{}'.format('x'))", ""),
        ("import re, sys; print(re.compile('x').sub('', sys.argv[1]))", ""),
        ("import sqlite3; c = sqlite3.connect('x'); c.execute('drop table a'); c.close()", ""),
    )
    + table(
        "node",
        ("require('fs').rmSync(process.argv[2], {recursive: true})", "rm -rf -- …"),
        ("for (const f of require('fs').readdirSync('d')) require('fs').unlinkSync('d/' + f)", "rm d/…"),
        ("require('fs').readdirSync('d').filter(f => f.endsWith('x')).forEach(f => require('fs').unlinkSync(f))",
         "rm -- …"),
        ("require('child_process').exec('git push -f', {cwd: 'sub'}, (e, out) => console.log(out))",
         "$ cd -- '/w/sub' && git push -f"),
        ("require('child_process').execSync(`git tag ${process.argv[2]}`)", "$ git tag …"),
        ("require('child_process').execSync(process.argv[2])", "?"),
        ("require('child_process').spawn('ls -l', {shell: true})", "$ ls -l"),
        ("eval(atob('YQ=='))", "?"),
        ("new Function(process.argv[2])()", "?"),
        ("require('fs')[process.argv[2]]('x')", "?"),
        ("import fs from 'fs'; fs.unlinkSync('x')", "rm x"),
        ("import {rm as del, writeFile} from 'node:fs/promises'; await del('v', {recursive: true}); writeFile('x', '')",
         "rm -rf v\n> x"),
        ("import * as fs from 'fs'; fs.rmdirSync('d', {recursive: true}); fs.rmdirSync('e')", "rm -rf d\nrmdir e"),
        ("require('rimraf').sync('v')", "rm -rf v"),
        ("const rimraf = require('rimraf'); rimraf('v', () => {})", "rm -rf v"),
        ("fs.rmSync('v', opts)", "rm -rf v"),
        ("let p = 'a'; p = next(); fs.unlinkSync(p)", "rm -- …"),
        ("process.chdir('sub'); fs.unlinkSync('x')", "/w/sub: rm x"),
        ("const s=fs.readFileSync('a.js','utf8').replace(/x'/g, 'y'); fs.writeFileSync('a.js', s)", "cat a.js\n> a.js"),
        ("console.log(`${fs.unlinkSync('x')}`)", "rm x"),
        ("fs.openSync('x', 'r'); fs.openSync('y', 'a')", "cat x\n> y"),
        ("fs.rmSync('a\\x2fb\\u{63}')", "rm a/bc"),
        ("console.log(require('./package.json').version)", "cat ./package.json"),
        ("process.version", ""),
        ("console.log(JSON.stringify({rmSync: 'x'}, null, 2))", ""),
        ("const re = /fs\\.unlinkSync\\('x'\\)/g; console.log('y'.match(re))", ""),
        ("const a = 6, b = 2; console.log(a / b, 'fs.rmSync(1)', b / a)", ""),
        ("setTimeout(() => console.log('done'), 10)", ""),
        ("// require('fs').rmSync('x')\n/* require('fs').rmSync('y') */", ""),
        ("Promise.all([1].map(async x => x)).then(console.log)", ""),
        ("fetch('http://localhost/rm').then(r => r.text()).then(console.log)", ""),
        ("let s=''; process.stdin.on('data', d => s += d).on('end', () => console.log(JSON.parse(s).name))", ""),
        ("db.exec('delete from x'); regex.exec('rm -rf x'); cache.unlink('x')", ""),
    )
    + table(
        "deno",
        ("Deno.removeSync('v', {recursive: true}); Deno.writeTextFileSync('x', '')", "rm -rf v\n> x"),
        ("new Deno.Command('git', {args: ['push', '-f']}).outputSync()", "git push -f"),
        ("console.log(Deno.version)", ""),
    )
    + table("bun", ("Bun.spawnSync(['rm', 'x']); await $`rm -rf ${'v'}`", "rm x\n$ rm -rf v"), ("console.log(1)", ""))
    + table(
        "perl",
        ("unlink glob '*.o'", "rm -- *.o"),
        ("unlink <*.o>;", "rm -- *.o"),
        ("unlink @ARGV", "rm -- …"),
        ("unlink", "rm -- …"),
        ("while (<>) { chomp; unlink $_ }", "rm -- …"),
        ("open F, 'ls |'; open G, '| sh'; open(H, '-|', 'rm', 'x')", "rm x\n$ ls\n$ sh"),
        ("open(F, '<', 'x'); print <F>", "cat x"),
        ("eval $ARGV[0]", "?"),
        ("system(@ARGV)", "?"),
        ("my $t = shift; system(\"git tag $t\")", "$ git tag …"),
        ("use File::Find; find(sub { unlink if /x/ }, '.')", "rm -- …"),
        ("print if /x/", ""),
        ("s/a/b/", ""),
        ("s/\\$\\{(\\w+)\\}/$ENV{$1}/g", ""),
        ("s|/usr/bin|/opt|g; s#'#\"#; s,a,b,; s!unlink('x')!y!", ""),
        ("print $1 if /version = \"([^\"]+)\"/", ""),
        ("$s += $_ for @F; END { print $s / $. }", ""),
        ("print join(',', map { \"'$_'\" } split /[,']/), \"\\n\"", ""),
        ("printf \"%s %d\\n\", $0, $$; print \"$@ $! $& a@b.c\"", ""),
        ("BEGIN { $/ = undef } s/\\n{3,}/\\n\\n/g", ""),
        ("use POSIX; print strftime('%Y', localtime)", ""),
        ("my %x = map { $_ => 1 } qw(unlink system); print keys %x, 7 % 2", ""),
    )
    + table(
        "ruby",
        ("require 'fileutils'; FileUtils.rm_rf('v'); FileUtils.rm_r 'w'", "rm -rf v\nrm -rf w"),
        ("File.delete('a', \"b\")", "rm a\nrm b"),
        ("Dir.glob('*.o').each { |f| File.delete(f) }", "rm -- *.o"),
        ("%w[a b].each do |x| FileUtils.rm_rf x end", "rm -rf a\nrm -rf b"),
        ("File.write('a', 'x'); File.open('b', 'w') { |f| f.puts 1 }; IO.write 'c', ''", "> a\n> b\n> c"),
        ("FileUtils.mv('a', 'b'); FileUtils.cp 'c', 'd'; FileUtils.ln_s('e', 'f')", "mv a b\ncp c d\nln -s e f"),
        ("system('rm -rf x'); `git push -f`; %x(ls); exec 'id'", "$ rm -rf x\n$ git push -f\n$ ls\n$ id"),
        ("system('rm', '-rf', 'x'); Open3.capture2('ls', 'y')", "rm -rf x\nls y"),
        ("d = 'v'\nsystem \"rm -rf #{d}\"", "$ rm -rf v"),
        ("Pathname.new('x').delete; Pathname('y').rmtree", "rm x\nrm -rf y"),
        ("send(:system, 'ls'); eval(\"File.delete('x')\")", "rm x\n$ ls"),
        ("eval ARGV[0]", "?"),
        ("puts File.read('x')", "cat x"),
        ("puts 1", ""),
        ("puts 'File.delete(1)', \"it's\" # system('x')", ""),
        ("require 'json'; puts JSON.parse(STDIN.read)['a']", ""),
        ("puts $stdin.each_line.map { |l| l.gsub(/['\"`]/, '') }.reject { |x| x =~ /system 'a'/ }", ""),
        ("x = 6; puts x / 2, x % 4, x ? 'a' : 'b', :system, ?a", ""),
    )
    + table(
        "php",
        ("unlink('x'); rmdir(\"d\"); rename('a', 'b'); copy('c', 'd');", "rm x\nrmdir d\nmv a b\ncp c d"),
        ("file_put_contents('x', 'y'); fopen('z', 'w'); fopen('r', 'r');", "> x\n> z\ncat r"),
        ("$d = 'v'; system(\"rm -rf $d\"); shell_exec('ls'); echo `id`;", "$ rm -rf v\n$ ls\n$ id"),
        ("$f = 'system'; $f('ls'); array_map('unlink', glob('*.o')); UNLINK('y');", "rm -- *.o\nrm y\n$ ls"),
        ("eval($argv[1]);", "?"),
        ("echo 'unlink(1)', PHP_VERSION; // unlink('x')\n# system('x')", ""),
        ("print_r(json_decode(stream_get_contents(STDIN), true)['system']);", ""),
    )
    + table(
        "osascript",
        ("do shell script \"rm -rf x\" with administrator privileges", "$ rm -rf x"),
        ("set p to \"x\"\ndo shell script \"rm \" & quoted form of p", "$ rm …"),
        ("display dialog \"do shell script\"", ""),
        ("tell application \"Finder\" to activate -- do shell script \"x\"", ""),
    ),
)  # fmt: skip
def test_every_language_is_read(interpreter, code, expected):
    assert effects(interpreter, code) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("python3.11", "python"),
        ("/usr/bin/python", "python"),
        ("nodejs", "javascript"),
        ("perl5.36.0", "perl"),
        ("awk", ""),
        ("", ""),
    ],
)
def test_an_interpreter_is_known_by_its_name(name, expected):
    assert language(name) == expected


def test_an_unknown_interpreter_implies_nothing():
    assert effects("awk", "system('rm -rf x')") == []


def test_standard_input_of_a_program_is_kept():
    (call,) = implied("python3", "import subprocess; subprocess.run(['bash'], input='rm -rf x', text=True)", HERE).calls
    assert call.input == "rm -rf x"


@pytest.mark.parametrize("interpreter", ["python3", "node", "perl", "ruby", "php", "osascript"])
def test_code_with_holes(interpreter):
    """The command line has put something in that is not known."""
    assert effects(interpreter, ANY) == ["?"]
    assert effects(interpreter, "") == effects(interpreter, " \n") == []


def test_a_hole_in_a_text_is_a_hole_of_the_path():
    for interpreter, code in [
        ("python3", f"import shutil; shutil.rmtree('a/{NAME}')"),
        ("node", f"require('fs').rmSync('a/{NAME}', {{recursive: true}})"),
        ("perl", f'use File::Path; rmtree("a/{NAME}")'),
    ]:
        assert implied(interpreter, code, HERE).calls[0].argv == ["rm", "-rf", f"a/{NAME}"]


def test_a_pattern_keeps_its_marks():
    (call,) = implied("perl", "unlink <m/*.sql>", HERE).calls
    assert call.argv == ["rm", f"m/{STAR}.sql"]


def test_where_the_directory_is_not_known_calls_do_not_know_it_either():
    (call,) = implied("python3", "import os, sys; os.chdir(sys.argv[1]); os.remove('x')", HERE).calls
    assert (call.argv, call.cwd) == (["rm", "x"], "")
    (call,) = implied("node", "require('fs').unlinkSync('x')", "").calls
    assert call.cwd == ""


LONG = {
    "parentheses": "(", "braces": "{", "brackets": "[", "members": "a.b", "sums": "1+", "quotes": "'",
    "templates": "`${",
    "interpolations": '"#{', "assignments": "x=", "subscripts": "a[", "variables": '"$a[', "here-documents": "<<A\n",
    "blocks": "x{|a|", "conditions": "if x:\n", "functions": "def f():f()\n", "calls": "f(f,", "arrows": "x=>",
    "regexes": "=/", "substitutions": "s/a/", "dots": "..", "lines": "\n", "percents": "%w[", "backslashes": "\\",
    "sigils": "$", "globs": " <", "loops": "for (x of y) ", "imports": "import ",
}  # fmt: skip


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
@pytest.mark.parametrize("interpreter", ["python3", "node", "perl", "ruby", "php", "osascript"])
def test_long_code_is_read_soon(interpreter, piece):
    code = piece * (20_000 // len(piece))
    start = time.process_time()
    implied(interpreter, code, HERE)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("interpreter", ["python3", "node"])
def test_code_that_is_too_long_is_a_doubt(interpreter):
    assert implied(interpreter, "x;" * MAX_CODE, HERE).doubt
    assert not implied(interpreter, "x;" * 10_000, HERE).doubt


def test_no_text_raises():
    chance = random.Random(7)
    samples = [row.values[1] for row in REAL]
    pieces = [
        ANY,
        NAME,
        "\0",
        *"' \" ` / { } ( ) [ ] $ @ # % & < > \\ \n ${ #{ <<X s/ qw( =~ => import eval do |".split(" "),
    ]
    for _ in range(1500):
        text = chance.choice(samples)
        for _ in range(chance.randrange(4)):
            cut = chance.randrange(len(text) + 1)
            text = text[:cut] + chance.choice(pieces) + text[cut + chance.randrange(3) :]
        for interpreter in ("python3", "node", "perl", "ruby", "php", "osascript"):
            implied(interpreter, text, HERE)
