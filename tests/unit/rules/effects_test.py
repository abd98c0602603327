import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from memdir.machine import ThisMachine
from memdir.rules import effects, plain
from memdir.shell.analysis import analyse
from memdir.shell.arguments import ANY, NAME, STAR
from memdir.shell.calls import Machine
from support.calls import Files, call

GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]

PATCH = """diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-alpha
+patched
diff --git a/dir/new.txt b/dir/new.txt
new file mode 100644
--- /dev/null
+++ b/dir/new.txt
@@ -0,0 +1 @@
+new
diff --git a/dir/two.txt b/dir/two.txt
deleted file mode 100644
--- a/dir/two.txt
+++ /dev/null
@@ -1 +0,0 @@
-two
"""
PLAIN_PATCH = """--- a.txt\t2026-01-01 00:00:00
+++ a.txt\t2026-01-02 00:00:00
@@ -1 +1 @@
-alpha
+patched
"""

# Commands that are run for real. What they change has to be among the effects, and each sure effect has to happen.
COMMANDS = """
echo x > a.txt
echo x >> a.txt
echo x >new.txt
echo x >| a.txt
echo x &> a.txt
ls nothing 2> errors.txt
cat < a.txt > c.txt
> a.txt
{ echo x; echo y; } > a.txt
(cd dir && echo x > one.txt)
cd dir && echo x > ../a.txt
for f in a b; do echo x > $f.txt; done
cat > c.txt <<E
echo x | tee a.txt
echo x | tee -a a.txt b.txt
echo x | tee -- -odd
echo x | sudo_is_not_needed=1 tee --append a.txt
dd if=a.txt of=c.txt status=none
sed -i s/alpha/x/ a.txt
sed -i.bak s/alpha/x/ a.txt b.txt
sed -ni p a.txt
sed -n -i -e p -- a.txt
sed --in-pl s/alpha/x/ a.txt
sed --in-place=.orig s/alpha/x/ a.txt
sed -i'out/*' p a.txt
sed -i'old_*' p a.txt
sed s/alpha/x/ -i a.txt
sed -e s/alpha/x/ a.txt -Ei b.txt
sed -f script.sed -i a.txt
sed -i s/o/x/ dir/*.txt
sed -n 's/alpha/x/w out.txt' a.txt
sed -n 'w out.txt' a.txt
perl -pi -e s/alpha/x/ a.txt
perl -i.bak -pe s/alpha/x/ a.txt
perl -i -0777pe s/alpha/x/ a.txt b.txt
perl -e 'print 1' > c.txt
awk '{print > "out.txt"}' a.txt
awk '{print >> "a.txt"}' b.txt
cp a.txt c.txt
cp a.txt b.txt
cp a.txt out
cp a.txt b.txt out/
cp -t out a.txt b.txt
cp --target-directory=out a.txt
cp --target-dir out a.txt
cp a.txt b.txt -t out
cp -r dir out
cp -r dir/. out
cp -a dir other
cp -rT dir out
cp --parents dir/one.txt out
cp -l a.txt hard.txt
cp -s a.txt out.lnk
cp dir/*.txt out
cp -n a.txt b.txt
mv a.txt c.txt
mv a.txt b.txt
mv a.txt out
mv a.txt b.txt out
mv -t out a.txt
mv -f -- a.txt out/
mv dir other
mv dir out
mv -T dir other
mv dir/* out
mv -n a.txt b.txt
ln a.txt hard.txt
ln -s a.txt soft.txt
ln -sf a.txt b.txt
ln -s ../a.txt out
ln -s dir/one.txt
ln -sfn out dir/link
install a.txt c.txt
install -m 600 a.txt out
install -D a.txt deep/er/c.txt
install -t out a.txt b.txt
install -d some/folder
rm a.txt
rm -f a.txt nothing.txt
rm -rf dir
rm -r -f -- dir b.txt
rm -fR dir/
rm dir/*.txt
rm ?.txt
rm -f *.none
rm -- -odd
unlink a.txt
rmdir empty
shred a.txt
shred -u a.txt
shred --remove -n 1 a.txt
truncate -s 0 a.txt
truncate --size=3 a.txt b.txt
truncate -s0 new.txt
touch new.txt
touch -c nothing.txt
fallocate -l 10 new.bin
mkfifo pipe
mknod pipe p
mkdir -p one/two
find . -name 'o*.txt' -delete
find dir -type f -exec rm {} +
find dir -name one.txt -exec sed -i s/one/x/ {} \\;
find . -name '*.txt' -fprint list.txt
ls *.txt | xargs rm
find dir -name '*.txt' -print0 | xargs -0 sed -i s/o/x/
printf 'a.txt' | xargs -I{} cp {} out/{}
sort -o a.txt b.txt
sort b.txt -oa.txt
sort --output=c.txt b.txt
sort --out c.txt b.txt
uniq b.txt c.txt
split -l 1 b.txt
split -l 1 b.txt part-
csplit b.txt 2
csplit -f cut- b.txt 2
gzip a.txt
gzip -k a.txt
gzip -c a.txt > c.gz
gzip -9 a.txt b.txt
gzip -d data.gz
gunzip data.gz
gunzip -k data
gzip -r dir
bzip2 a.txt
xz -k a.txt
xz -T 1 -f a.txt
zstd -q a.txt
zstd -q --rm a.txt
zstd -q a.txt -o c.zst
patch -p1 < git.patch
patch -p1 -i git.patch
patch < plain.patch
patch -i plain.patch
patch a.txt plain.patch
patch a.txt < plain.patch
patch -o c.txt a.txt plain.patch
patch -R -p1 -d reversed -i ../back.patch
patch --dry-run -p1 < git.patch
cat git.patch | patch -p1
patch -p1 <<E
git apply git.patch
git apply --check git.patch
git apply < git.patch
cd dir && git apply ../git.patch
git apply -R reversed.patch
git apply --directory=sub sub.patch
tar xf a.tar
tar -xf a.tar -C out
tar xf a.tar m.txt
tar -x -f a.tar -C out m.txt
tar -C out -xf a.tar dir
tar xf a.tar --strip-components=1
tar xOf a.tar m.txt
tar tf a.tar
tar cf c.tar a.txt dir
tar -czf c.tgz dir
tar -cf c.tar --remove-files a.txt
tar rf a.tar b.txt
tar --extract --file=a.tar --directory out
unzip -q a.zip
unzip -qo a.zip -d out
unzip -q a.zip m.txt
unzip -q a.zip 'd*' -d out
unzip -qj a.zip dir/one.txt -d out
unzip -l a.zip
zip -q c.zip a.txt
zip -qr c dir
zip -qm c.zip a.txt
echo w | ed -s a.txt
ed -s a.txt <<E
ex -s -c '%s/alpha/x/' -c wq a.txt
vim -es -u NONE -c 's/alpha/x/' -c wq a.txt
xxd a.txt c.hex
xxd -r hex.txt c.bin
sqlite3 c.db 'create table t (a)'
openssl rand -hex -out c.txt 8
openssl base64 -in a.txt -out c.txt
curl -s -o c.txt file:///etc/hosts
curl -so c.txt file:///etc/hosts
curl -s --output-dir out -o c.txt file:///etc/hosts
curl -sO file:///etc/hosts
python3 -m json.tool j.json c.json
git checkout -- a.txt
git checkout a.txt
git checkout .
git checkout HEAD -- dir a.txt
git checkout HEAD a.txt
git checkout -f
git restore a.txt
git restore .
git restore --source=HEAD~1 b.txt
git restore -s HEAD~1 -SW b.txt
git restore --staged a.txt
git restore '*.txt'
git restore :/a.txt
cd dir && git restore ../a.txt
cd dir && git restore :/
git -C dir restore one.txt
git -C dir checkout HEAD~1 -- .
git reset -q --hard
git reset -q --hard HEAD~1
git reset -q a.txt
git clean -fqd
git clean -nd
git clean -fqdx dir
git stash -q
git stash push -q -u
git stash push -q a.txt
git stash -q -- a.txt
git stash list
git rm -q b.txt
git rm -q --cached b.txt
git rm -qrf dir
git mv b.txt c.txt
git mv b.txt out
git mv dir other
git archive -o c.tar HEAD
git diff --output=c.txt
git log --output c.txt
git format-patch -q -1
git format-patch -q -1 -o out
git checkout-index -f a.txt
git checkout-index -fa
git checkout-index --prefix=out/ b.txt
git read-tree -u --reset HEAD~1
git switch -q -f main
git bundle create c.bundle HEAD
git config -f settings user.name x
git show HEAD:a.txt > c.txt
git --work-tree=. checkout -- a.txt
git worktree remove --force linked
""".strip().split("\n")  # fmt: skip
TEXTS = {
    "cat > c.txt <<E": "x",
    "ed -s a.txt <<E": "s/alpha/x/\nw\nq",
    "patch -p1 <<E": PATCH.rstrip("\n"),
}
CHANGES_NOTHING = """
cp -n a.txt b.txt
mv -n a.txt b.txt
rm -f *.none
touch -c nothing.txt
mkdir -p one/two
install -d some/folder
rmdir empty
tar tf a.tar
tar xOf a.tar m.txt
unzip -l a.zip
patch --dry-run -p1 < git.patch
git apply --check git.patch
git clean -nd
git stash list
git restore --staged a.txt
git reset -q a.txt
git rm -q --cached b.txt
""".strip().split("\n")


def _write(folder: Path, files: "dict[str, str]") -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("template") / "work"
    tracked = {"a.txt": "alpha\n", "b.txt": "old\n", "dir/one.txt": "0\n", "dir/two.txt": "two\n", "out/keep": ""}
    _write(folder, tracked)
    env = {**os.environ, "HOME": str(folder.parent)}

    def git(*words: str) -> None:
        subprocess.run([*GIT, *words], cwd=folder, env=env, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    _write(folder, {"b.txt": "b\nb\nc\n", "dir/one.txt": "one\n"})
    git("commit", "-am", "second")
    with tarfile.open(folder / "a.tar", "w") as tar, zipfile.ZipFile(folder / "a.zip", "w") as packed:
        for name in ("m.txt", "dir/one.txt"):
            member = folder / name
            member.write_text("member\n")
            tar.add(member, name)
            packed.write(member, name)
    (folder / "m.txt").unlink()
    (folder / "dir/one.txt").write_text("one\n")
    until_new, _, _ = PATCH.partition("diff --git a/dir/new")
    until_two, _, _ = PATCH.partition("diff --git a/dir/two")
    _write(folder, {"git.patch": PATCH, "plain.patch": PLAIN_PATCH, "script.sed": "s/alpha/x/\n", "-odd": "x\n"})
    _write(folder, {"sub.patch": until_two.replace("alpha", "sub"), "sub/a.txt": "sub\n"})
    _write(folder, {"reversed.patch": until_new.replace("alpha", "x").replace("patched", "alpha")})
    _write(folder, {"back.patch": until_two, "reversed/a.txt": "patched\n", "reversed/dir/new.txt": "new\n"})
    _write(folder, {"hex.txt": "00000000: 4142\n", "j.json": "{}\n", "dir/old/.keep": ""})
    (folder / "empty").mkdir()
    (folder / "dir" / "link").symlink_to("old")
    (folder / "data.gz").write_bytes(gzip.compress(b"alpha\n"))
    return folder


def _copy(template: Path, folder: Path, command: str) -> None:
    """The template's files, all of one old time; with the repository where the command needs one."""
    needs_git = "git " in command
    shutil.copytree(template, folder, symlinks=True, ignore=None if needs_git else shutil.ignore_patterns(".git"))
    for path in folder.rglob("*"):
        if ".git" not in path.parts and not path.is_symlink():
            os.utime(path, (1_500_000_000, 1_500_000_000))
    if needs_git:
        subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=folder, capture_output=True, check=False)


def _files(folder: Path) -> "dict[str, object]":
    found = {}
    for path in folder.rglob("*"):
        if ".git" not in path.parts and path.name != ".viminfo":
            status = path.lstat()
            found[str(path)] = (path.is_dir() and not path.is_symlink()) or (
                status.st_size,
                status.st_mtime_ns,
                status.st_ino,
            )
    return found


def _difference(before: "dict[str, object]", after: "dict[str, object]") -> "set[str]":
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def _fits(effect: effects.Effect, path: str) -> bool:
    first = min([effect.path.find(mark) % (len(effect.path) + 1) for mark in (ANY, NAME, STAR)])
    if first < len(effect.path):
        return path.startswith(effect.path[:first])
    return path == effect.path or (effect.tree and path.startswith(effect.path + "/"))


def _dirty(folder: Path, command: str) -> None:
    """Makes commands that take contents back have something to do."""
    names = ["a.txt", "dir/one.txt"] if "git " in command and " apply" not in command and " mv" not in command else []
    for name in names:
        (folder / name).write_text("changed\n")
    if command == "git config -f settings user.name x":
        (folder / "settings").write_text("")
    if command.startswith("git worktree"):
        subprocess.run(
            ["git", "worktree", "add", "-q", "linked", "-b", "other"], cwd=folder, check=True, capture_output=True
        )


# Files that are named and yet stay as they are, which the text alone does not tell.
OVERSTATED = {"rm -f a.txt nothing.txt", "cd dir && git apply ../git.patch"}
_SYNTAX = ("for", "(cd", "{", ">", "cd")


@pytest.mark.skipif(sys.platform != "linux", reason="the commands are written for the GNU programs")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_effects_of_a_command_are_what_it_does(command, template, tmp_path):
    program = command.split()[0]
    if program not in _SYNTAX and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    work = tmp_path.resolve() / "work"
    _copy(template, work, command)
    _dirty(work, command)
    text = f"{command}\n{TEXTS[command]}\nE" if command in TEXTS else command
    machine = ThisMachine(dict(os.environ))
    expected = [effect for each in analyse(text, str(work), machine).calls for effect in effects.changes(each, machine)]
    before = _files(work)
    env = {**os.environ, "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t",
           "GIT_COMMITTER_EMAIL": "t@t"}  # fmt: skip
    ran = subprocess.run(
        ["bash", "-c", text], cwd=work, env=env, capture_output=True, text=True, check=False, timeout=20
    )
    after = _files(work)
    changed = _difference(before, after)
    # directories that are made or vanish are no effects of their own
    files = {path for path in changed if before.get(path) is not True and after.get(path) is not True}
    assert bool(files) == (command not in CHANGES_NOTHING), ran.stderr
    assert not {path for path in files if not any(_fits(effect, path) for effect in expected)}, expected
    idle = [effect for effect in expected if effect.sure and not any(_fits(effect, path) for path in changed)]
    assert command in OVERSTATED or not idle, ran.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_with_an_effect_is_plain(command):
    machine = Files({"/proj/a.txt": "", "/proj/git.patch": PATCH, "/proj/dir/one.txt": ""})
    if any(effects.changes(each, machine) for each in analyse(command, "/proj", machine).calls):
        assert not plain.is_plain(command, effects.KEYWORDS)


# What cannot be run here, or depends on what is not there: a command and its effects. `+` is a tree, `?` not sure.
TABLE = """
gawk -i inplace {print} a.txt b.txt           | write a.txt, write b.txt
ruby -i.orig -pe 1 a.txt                      | write a.txt, write a.txt.orig
rsync a.txt dir/                              | write dir/a.txt
rsync -a src/ dir                             | write+ dir
rsync -a src dir                              | write+ dir/src
rsync -a --delete src/ dir                    | write+ dir, delete+ dir
rsync -an --delete src/ dir                   |
rsync -a src/ host:dir                        |
rsync -e ssh host:/etc/x.conf .               | write+ x.conf
rsync --remove-source-files a.txt host:dir    | delete+ a.txt
scp -P 22 host:/x/y.txt dir                   | write dir/y.txt
scp a.txt host:                               |
gsed -i s/a/b/ a.txt                          | write a.txt
/bin/RM -rf dir                               | delete+ dir
sed -i '' s/a/b/ a.txt                        | write a.txt
sponge a.txt                                  | write a.txt
sd a b a.txt                                  | write a.txt
sd -p a b a.txt                               |
yq -i .a=1 a.txt                              | write a.txt
yq -o json . a.txt                            |
prettier --write a.txt dir                    | write a.txt, write dir/<name>
prettier --write 'dir/**'                     | write dir/<name>
prettier --write 'dir/**/*.{md,ts}'           | write dir/<name>/<star>.md, write dir/<name>/<star>.ts
prettier --write 'dir/*.md'                   | write dir/<star>.md
prettier --write '!dir/**' a.txt              | write a.txt
prettier --check 'dir/**'                     |
eslint --fix dir/                             | write dir/<name>
eslint --fix --ignore-pattern 'dir/**' a.txt  | write a.txt
prettier a.txt                                |
prettier --check a.txt                        |
eslint --fix a.txt                            | write a.txt
ruff format a.txt                             | write a.txt
ruff check a.txt                              |
ruff format --check a.txt                     |
python3 -m black a.txt                        | write a.txt
gofmt -w a.txt                                | write a.txt
gofmt -l a.txt                                |
7z x a.7z                                     | write+? .
7z x a.7z -oout                               | write+? out
cpio -idm                                     | write+? .
patch -p1                                     | write+? .
patch -p1 -d dir                              | write+? dir
curl -O https://x.org/a/b.tgz?q=1             | write b.tgz
curl -LO https://x.org/a/b.tgz                | write b.tgz
curl https://x.org/a                          |
curl -d @a.txt -s https://x.org/o             |
wget https://x.org/a/b.tgz                    | write b.tgz
wget -P out https://x.org/a/b.tgz             | write out/b.tgz
wget -qO c.txt https://x.org/                 | write c.txt
wget -qO- https://x.org/                      |
gcc -o prog a.c                               | write prog
gcc -oprog a.c                                | write prog
pandoc --output=a.pdf a.md                    | write a.pdf
tsc --outFile all.js                          | write all.js
unknown --output a.txt                        | write a.txt
grep -o a.txt b.txt                           |
kubectl get pods -o json                      |
ssh -o a=b host                               |
ffmpeg -i a.mp4 b.mp4                         | write b.mp4
ssh-keygen -t ed25519 -f key                  | write key, write key.pub
sqlite3 a.db "delete from t"                  | write? a.db
sqlite3 a.db "select 1; .tables"              |
emacs --batch a.txt --eval 1                  | write a.txt
view a.txt                                    |
touch a.txt                                   |
touch new.txt                                 | write new.txt
chmod 600 a.txt                               |
chown me a.txt                                |
cp a.txt                                      |
cp -r a.txt <name>                            | write <name>
rm <any>                                      | delete <any>
rm '<star>.txt'                               | delete a.txt
rm '<star>.none'                              |
rm 'dir/<question>.md'                        | delete dir/x.md
mv '<star>.txt' out/                          | delete a.txt, write out/a.txt
tee /dev/null                                 |
tee                                           |
npm install                                   |
git status                                    |
git switch main                               |
git checkout main                             |
git checkout -b new                           |
git checkout main a.txt                       | write a.txt
git checkout main -- dir                      | write+ dir
git checkout -- .                             | write+? .
git pull --rebase                             |
git rebase main                               |
git merge main                                |
git cherry-pick main                          |
git revert HEAD                               |
git stash pop                                 |
git stash drop                                |
git stash save text                           | write+? .
git stash -u                                  | write+? ., delete+? .
git reset --har                               | write+? .
git reset HEAD~1                              |
git clean -n -f                               |
git clean -f dir                              | delete+? dir
git -c clean.requireForce=false clean         | delete+? .
git -C dir clean -f                           | delete+? dir
git -C dir rm x.md                            | delete dir/x.md
git --work-tree dir checkout -- x.md          | write dir/x.md
git rm -r --cached dir                        |
git apply                                     | write+? .
git am mail                                   | write+? .
git sparse-checkout set src                   | delete+? .
git checkout -p                               |
git restore ':!a.txt' dir                     | write+ dir
git restore ':(top)a.txt'                     | write a.txt
git diff --output=d.txt a.txt                 | write d.txt
""".strip().split("\n")  # fmt: skip


def _shown(effect: effects.Effect) -> str:
    path = "." if effect.path == "/proj" else effect.path.removeprefix("/proj/")
    path = path.replace(ANY, "<any>").replace(NAME, "<name>").replace(STAR, "<star>")
    return f"{effect.kind}{'+' * effect.tree}{'?' * (not effect.sure)} {path}"


@pytest.mark.parametrize("line", TABLE, ids=[line.partition("|")[0].strip() for line in TABLE])
def test_a_command_line_has_these_effects(line):
    command, _, expected = line.partition("|")
    machine = Files({"/proj/a.txt": "", "/proj/dir/x.md": "", "/proj/dir/y/z.md": ""})
    found = effects.changes(call(command), machine)
    assert [_shown(effect) for effect in found] == [text.strip() for text in expected.split(",") if text.strip()]


READING = """
cat a.txt b.txt                    | a.txt, b.txt
cat - a.txt                        | a.txt
head -n 3 a.txt                    | a.txt
tail -5 a.txt                      | a.txt
grep -n -e x a.txt                 | a.txt
grep x a.txt                       | a.txt
grep -c 3 a.txt                    | a.txt
grep -r x dir                      | +dir
grep -rn x                         | +.
grep x                             |
rg x                               | +.
rg -t py x dir                     | +dir
grep -r x . --include=*.py         | +., <name>/<star>.py
grep -rh --include=.env x dir      | +dir, dir/<name>/.env
rg -g '**/.env' -g '!.git' x       | +., <name>/.env
rg --glob '*.{env,key}' x dir      | +dir, dir/<name>/<star>.env, dir/<name>/<star>.key
rg --files -g .env                 | +.
grep --include=.env x a.txt        | a.txt
sed -n 1,3p a.txt                  | a.txt
sed -e p -e q a.txt                | a.txt
awk '{print $1}' a.txt             | a.txt
jq .a a.txt                        | a.txt
sort -k 2 a.txt                    | a.txt
cut -d: -f1 a.txt                  | a.txt
diff -u a.txt b.txt                | a.txt, b.txt
base64 -w 0 a.txt                  | a.txt
xxd a.txt                          | a.txt
cp a.txt out                       | a.txt
cp -r dir out                      | +dir
mv a.txt b.txt                     | a.txt
ln -s a.txt b.txt                  | a.txt
rsync -a dir host:                 | +dir
scp a.txt host:                    | a.txt
scp host:a.txt .                   |
tar czf x.tgz dir                  | +dir
tar -C dir -cf x.tar x.md          | +dir/x.md
tar xf x.tar                       |
zip x.zip a.txt                    | x.zip, a.txt
curl -d @a.txt https://x.org       | a.txt
curl --data-binary @a.txt x.org    | a.txt
curl --data-raw @a.txt x.org       |
curl -F file=@a.txt x.org          | a.txt
curl -T a.txt x.org                | a.txt
curl -K a.txt                      | a.txt
curl file:///proj/a.txt            | a.txt
curl https://x.org/a.txt           |
openssl enc -in a.txt              | a.txt
dd if=a.txt of=b.txt               | a.txt
source a.txt                       | a.txt
. a.txt x                          | a.txt
vim a.txt                          | a.txt
docker run --env-file a.txt image  | a.txt
wget --post-file=a.txt x.org       | a.txt
perl -ne print a.txt               | a.txt
perl a.pl                          |
git show HEAD:a.txt                | a.txt
git show HEAD                      |
git -C dir show HEAD:./x.md        | dir/x.md
git diff a.txt                     | a.txt
git log -p -- gone.txt             | gone.txt
git grep x                         | +?.
git add a.txt                      |
ls a.txt                           |
wc -l a.txt                        |
stat a.txt                         |
rm a.txt                           |
echo a.txt                         |
cat '<star>.txt'                   | a.txt
""".strip().split("\n")  # fmt: skip


@pytest.mark.parametrize("line", READING, ids=[line.partition("|")[0].strip() for line in READING])
def test_a_command_line_reads_these_files(line):
    command, _, expected = line.partition("|")
    machine = Files({"/proj/a.txt": "", "/proj/dir/x.md": ""})
    found = effects.reads(call(command), machine)
    shown = ["+" * each.tree + "?" * (not each.sure) + _shown(each).partition(" ")[2] for each in found]
    assert shown == [text.strip() for text in expected.split(",") if text.strip()]
    assert not found or call(command).name in effects.READERS


def test_a_redirection_reads_its_source():
    assert [each.path for each in effects.reads(call("tr a b", source="a.txt"), Machine())] == ["/proj/a.txt"]


def test_what_is_written_in_an_unknown_directory_stays_as_it_was_written():
    (effect,) = effects.changes(call("rm dir/a.txt", cwd=""), Machine())
    assert effect.path == "dir/a.txt"


def test_globs_stay_where_nothing_is_known_of_the_machine():
    (effect,) = effects.changes(call("rm 'dir/<star>.txt'"), Machine())
    assert effect.path == f"/proj/dir/{STAR}.txt"


def test_dots_in_a_path_follow_links():
    machine = Files({}, links={"/proj/link": "/far/away"})
    paths = [effects.changes(call(f"rm {path}"), machine)[0].path for path in ("./a", "../a", "link/../a", "/x//y/")]
    assert paths == ["/proj/a", "/a", "/far/a", "/x/y"]


def test_an_alias_of_git_is_what_it_stands_for():
    class WithAlias(Files):
        def git_alias(self, name: str, cwd: str) -> str:
            return "checkout --" if name == "undo" else ""

    assert [_shown(each) for each in effects.changes(call("git undo a.txt"), WithAlias())] == ["write+ a.txt"]


def test_links_are_found_with_what_they_lead_to():
    machine = Files({"/proj/a.txt": "", "/proj/dir/x.md": ""})
    assert effects.links(call("ln -s a.txt l"), machine) == [("/proj/l", "/proj/a.txt")]
    assert effects.links(call("ln -s ../a.txt dir/l"), machine) == [("/proj/dir/l", "/proj/a.txt")]
    assert effects.links(call("ln a.txt dir"), machine) == [("/proj/dir/a.txt", "/proj/a.txt")]
    assert effects.links(call("cp -l a.txt l"), machine) == [("/proj/l", "/proj/a.txt")]
    assert effects.links(call("cp a.txt l"), machine) == []
    assert effects.links(call("ln -s <any> l"), machine) == []
