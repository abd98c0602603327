import time

import pytest

from memdir.rules import globs
from memdir.rules.globs import PathPattern
from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR
from memdir.shell.calls import Machine


class Disk(Machine):
    """Files, links (path → target), hard links and worktrees as the tests say."""

    home = "/home/me"

    def __init__(self, files=(), links=None, same=(), folds=False, worktrees=None):
        self.files = set(files)
        self.links = links or {}
        self.same = {frozenset(pair) for pair in same}
        self.folds = folds
        self.worktrees = worktrees or {}
        self.listed = []

    def real(self, path):
        path = globs.normal(path)
        for link, target in self.links.items():
            if path == link or path.startswith(link + "/"):
                return self.real(target + path[len(link) :])
        return path

    def kind(self, path):
        path = self.real(path)
        if path in self.files:
            return "file"
        return "dir" if any(file.startswith(path.rstrip("/") + "/") for file in self.files) else ""

    def names(self, folder):
        self.listed.append(folder)
        start = self.real(folder).rstrip("/") + "/"
        inside = {file[len(start) :].split("/")[0] for file in [*self.files, *self.links] if file.startswith(start)}
        return sorted(inside)

    def same_file(self, one, other):
        return frozenset((one, other)) in self.same

    def folds_case(self, path):
        return self.folds

    def worktree(self, path):
        for root, common in self.worktrees.items():
            if path == root or path.startswith(root + "/"):
                return root, common
        return "", ""


def verdict(pattern, path, disk=None, base="/p"):
    return PathPattern(pattern, base, "/home/me").verdict(path, disk or Disk())


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.txt", "/p/a.txt"),
        ("a.txt", "/p/x/y/a.txt"),
        ("a.txt", "/p/a.txt/below"),
        ("*.pem", "/p/x/key.pem"),
        ("src/a.txt", "/p/src/a.txt"),
        ("/a.txt", "/p/a.txt"),
        ("./a.txt", "/p/a.txt"),
        ("migrations/", "/p/migrations/1.sql"),
        ("migrations/", "/p/migrations"),
        ("migrations/**", "/p/migrations/2026/1.sql"),
        ("migrations/**", "/p/migrations"),
        ("**/secret/*.yml", "/p/secret/a.yml"),
        ("**/secret/*.yml", "/p/x/y/secret/a.yml"),
        ("a/**/b", "/p/a/b"),
        ("a/**/b", "/p/a/x/y/b"),
        ("src/*", "/p/src/x/y"),
        ("a?c", "/p/abc"),
        ("file[0-9].txt", "/p/file7.txt"),
        ("file[!0-9].txt", "/p/filex.txt"),
        ("app/[id]/page.tsx", "/p/app/[id]/page.tsx"),
        ("*.{ts,js}", "/p/x/a.js"),
        ("{src,lib/core}/**", "/p/lib/core/a"),
        ("{a,{b,c}}.txt", "/p/c.txt"),
        ("a{b}.txt", "/p/a{b}.txt"),
        ("\\*.txt", "/p/*.txt"),
        ("~/.ssh/**", "/home/me/.ssh/id_rsa"),
        ("//etc/hosts", "/etc/hosts"),
        ("/home/me/x", "/home/me/x"),
        ("/home/me/x", "/p/home/me/x"),
        ("/p/a", "/p/a"),
        ("../other/a", "/other/a"),
        ("**", "/p/anything"),
        (".env", "/p/sub/../.env"),
        (".env", "/p//./.env"),
        ("e\u0301.txt", "/p/\u00e9.txt"),
        ("\u00e9.txt", "/p/e\u0301.txt"),
    ],
)
def test_a_path_matches(pattern, path):
    assert verdict(pattern, path) == "yes"


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.txt", "/p/aa.txt"),
        ("a.txt", "/q/a.txt"),
        ("a.txt", "/pp/a.txt"),
        ("/a.txt", "/p/x/a.txt"),
        ("src/a.txt", "/p/x/src/a.txt"),
        ("src/*.ts", "/p/src/x/a.ts"),
        ("migrations/**", "/p/migrations2/1.sql"),
        ("*.pem", "/p/pem"),
        ("a/**/b", "/p/a/bb"),
        ("a?c", "/p/a/c"),
        ("file[0-9].txt", "/p/filex.txt"),
        ("*.{ts,js}", "/p/a.tsx"),
        ("\\*.txt", "/p/a.txt"),
        ("~/.ssh/**", "/home/you/.ssh/x"),
        ("/etc/hosts", "/etc/hosts"),
        (".env", "/p/.env.example"),
        (".env", "/p/.ENV"),
        (".env", "/p/.env/../a"),
        ("../other/a", "/p/other/a"),
    ],
)
def test_another_path_does_not(pattern, path):
    assert verdict(pattern, path) == "no"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("migrations/**", "/p/migrations/" + ANY, "yes"),
        ("migrations/**", "/p/" + ANY + "/1.sql", "maybe"),
        ("migrations/**", "/p/src/" + ANY, "no"),
        (".env", "/p/" + NAME, "maybe"),
        (".env", "/p/.e" + NAME, "maybe"),
        (".env", "/p/x" + NAME + "y", "no"),
        (".env", "/p/" + NAME + "/package.json", "no"),
        (".env", NAME + "/.env", "maybe"),
        (".env", "/p/.e" + QUESTION + "v", "maybe"),
        (".env", "/p/.e" + BRACKET + "mn]v", "maybe"),
        (".env", "/p/" + STAR, "no"),
        (".env", "/p/." + STAR, "maybe"),
        (".env", "/p/" + STAR + "/.env", "yes"),
        ("*.pem", "/p/" + STAR + ".pem", "yes"),
        ("*.pem", "/p/a" + STAR, "maybe"),
        ("*.pem", "/p/" + STAR + ".key", "no"),
        (".env", "/q/" + STAR, "no"),
        ("src/a.ts", "/p/" + ANY + "a.ts", "maybe"),
        ("src/x/a.ts", "/p/s" + ANY + ".ts", "maybe"),
        ("src/x/a.ts", "/p/t" + ANY + ".ts", "no"),
    ],
)
def test_a_path_that_is_known_in_part_may_match(pattern, path, expected):
    assert verdict(pattern, path) == expected
    assert PathPattern(pattern, "/p", "").matches(path, Disk()) == (expected != "no")


def test_links_are_what_they_lead_to():
    disk = Disk(links={"/p/link": "/p/.env", "/elsewhere": "/p", "/p/migrations": "/data/migrations"})
    assert verdict(".env", "/p/link", disk) == "yes"
    assert verdict(".env", "/elsewhere/.env", disk) == "yes"
    assert verdict(".env", "/p/.env", disk, base="/elsewhere") == "yes"
    assert verdict("/migrations/**", "/data/migrations/1.sql", disk) == "yes"
    assert verdict("/migrations/**", "/data/other/1.sql", disk) == "no"


def test_the_target_of_a_link_with_the_pattern_s_name_is_meant_too():
    disk = Disk(links={"/p/.env": "/secrets/env"})
    assert verdict(".env", "/secrets/env", disk) == "yes"
    assert verdict(".env", "/secrets/other", disk) == "no"


def test_hard_links_are_one_file():
    disk = Disk(same=[("/p/copy", "/p/.env")])
    assert verdict(".env", "/p/copy", disk) == "yes"
    assert verdict(".env", "/p/other", disk) == "no"
    assert verdict("*.env", "/p/copy", disk) == "no"


def test_the_same_file_of_another_worktree_matches():
    disk = Disk(worktrees={"/p": "/p/.git", "/wt": "/p/.git", "/foreign": "/foreign/.git"})
    assert verdict("/migrations/**", "/wt/migrations/1.sql", disk) == "yes"
    assert verdict("/migrations/**", "/wt/sub/migrations/1.sql", disk) == "no"
    assert verdict("/migrations/**", "/foreign/migrations/1.sql", disk) == "no"
    assert verdict("1.sql", "/wt/sub/1.sql", disk, base="/p/sub") == "yes"
    assert verdict("1.sql", "/wt/1.sql", disk, base="/p/sub") == "no"


def test_case_counts_where_the_file_system_says_so():
    assert verdict("Src/[A-C]*.ts", "/p/sRC/b.TS", Disk(folds=True)) == "yes"
    assert verdict("Src/[A-C]*.ts", "/p/sRC/b.TS", Disk()) == "no"


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        (".env", "/p", "yes"),
        (".env", "/", "yes"),
        (".env", "/p/src", "no"),
        ("migrations/**", "/p/db", "no"),
        ("/db/migrations/**", "/p/db", "yes"),
        ("/db/migrations/**", "/p/db/migrations/old", "yes"),
        ("/db/migrations/**", "/p/src", "no"),
        ("*.pem", "/p/deep", "yes"),
        ("*.pem", "/p/missing", "no"),
        ("*.pem", "/p/node_modules", "no"),
        ("node_modules/x/*.pem", "/p/node_modules", "yes"),
        ("*.pem", "/p/linked", "no"),
    ],
)
def test_a_folder_holds_something_that_matches(pattern, folder, expected):
    files = ["/p/.env", "/p/src/a.ts", "/p/db/migrations/old/1.sql", "/p/deep/x/y/k.pem", "/p/node_modules/x/c.pem"]
    disk = Disk([*files, "/p/linked/a.ts"], links={"/p/linked/out": "/p/deep"})
    assert PathPattern(pattern, "/p", "").below(folder, disk) == expected


def test_a_large_folder_is_not_looked_through():
    disk = Disk([f"/p/{number:04}/a" for number in range(globs.WALK)])
    assert PathPattern("*.pem", "/p", "").below("/p", disk) == "no"
    assert len(disk.listed) < globs.WALK


def test_only_folders_that_could_lead_there_are_looked_through():
    disk = Disk(["/p/a/b/1", "/p/a/c/1", "/p/x/y/1"])
    assert PathPattern("/a/b/*.pem", "/p", "").below("/p", disk) == "no"
    assert set(disk.listed) == {"/p", "/p/a", "/p/a/b"}


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("", "missing"),
        ("   ", "missing"),
        ("!a", "exceptions"),
        ("{a,b", "not closed"),
        ("{a,b}" * 20, "more than 256"),
        ("{" * 50 + "a,b" + "}" * 49, "not closed"),
        ("~you/x", "`~/`"),
        ("a/../b", "`..`"),
        ("a\nb", "no path"),
        ("x" * 5000, "no path"),
    ],
)
def test_a_broken_pattern_says_what_is_wrong(pattern, told):
    assert told in globs.problem(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["**/" * 200 + "a", "*" * 200 + "a", "*a" * 200, "**/*a" * 100, "?*" * 200, "[a-z]*" * 100, "{a,b}" * 8],
)
def test_hostile_patterns_take_no_time(pattern):
    start = time.process_time()
    path = "/p/" + "a" * 250 + "/" + "/".join(["b" * 20] * 100)
    made = PathPattern(pattern, "/p", "")
    made.verdict(path, Disk())
    made.verdict(path + STAR + "x" + ANY + "y" * 100, Disk())
    assert time.process_time() - start < 5  # exponential work would take years
