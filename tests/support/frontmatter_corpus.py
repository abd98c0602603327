"""Headers as people and programs write them, for the comparison with PyYAML."""

# Both read these alike.
BOTH_READ = [
    # as Claude Code writes them
    'name: kebab-slug\ndescription: "one line"\nmetadata:\n  node_type: memory\n  type: feedback\n'
    "  originSessionId: 4f9d2c1a-2222-4333-8444-555566667777\n  modified: 2026-07-30T07:40:18.191Z",
    "name: user-role\ndescription: Backend developer, new to the front end\nmetadata: \n  node_type: memory\n"
    "  type: user\n  originSessionId: 0b6a4d0e-0000-4000-8000-000000000001",
    'name: ""\ndescription: ""\nmetadata:\n  node_type: memory',
    'name: deploy-order\ndescription: "Deploy order: database first"\nmetadata:\n  node_type: memory\n  type: project\n'
    "  tags: [deploy, database]",
    "name: long-one\ndescription: >-\n  Integration tests need a real database; mocks hid\n  a broken migration once.\n"
    "metadata:\n  type: feedback",
    "name: quoted\ndescription: 'It''s the user''s own wording'\nmetadata:\n  type: user",
    # the old form
    "name: Testing preferences\ndescription: Wants integration tests\ntype: feedback",
    "name: release\ndescription: The release branch is cut on Thursdays\ntype: project\n"
    "originSessionId: 9a1c7c54-1111-4222-8333-444455556666\nmodified: 2026-03-01T10:00:00.000Z",
    "type: reference\nname: dashboards\ndescription: Where latency graphs live (grafana.example.com/d/abc)",
    "name: a\ndescription: b\ntype: user\nunknown_key: kept",
    # by hand
    "title: Notes",
    "title:   spaced out   \nauthor: nobody",
    "name: x # the slug\ndescription: y   # what it is",
    "# written by hand\nname: x\n\n# the rest\ndescription: y",
    "name: C# notes\ndescription: issue#12 and a#b",
    "description: half:done",
    "url: https://example.com/a?b=c#d\ntime: 12:30",
    "empty:\nalso:\nlast: x",
    'name: \'single\'\nother: "double"\nmixed: it\'s "fine"',
    'quote: "a \\"b\\" c\\n\\tд \\u00e9 \\x41 \\U0001F9EA \\\\ \\/"',
    "single: 'a \\n ''b'' \"c\"'",
    "path: C:\\Users\\dev\nregex: ^\\d+$",
    "price: 100%\nmail: dev@example.com\nping: a & b * c ! d",
    "dash: a - b\nminus: -1\narrow: ->\ndots: ...x",
    "a: b, c, d\nbrackets: x [y] {z}",
    "question: what? why\n?odd: key",
    "\"quoted key\": v\n'other: key': w",
    "key with blanks: v\nкључ: в\n键: 值",
    "  name: indented\n  description: header",
    "name: x\ndescription:\n  on the next line",
    "name: x\ndescription:\n  over\n  two lines\ntype: user",
    "name: x\ndescription: begins here\n  and goes on\n\n  after an empty line\ntype: user",
    'name: x\ndescription: "begins here\n  and goes on\n\n  after an empty line"\ntype: user',
    'name: x\ndescription: "a\\\n  b  \\\n  \\  c"\ntype: user',
    "name: x\ndescription: 'begins\n\n\n  here'\ntype: user",
    "bool: true\nnone: null\ntilde: ~\nnumber: 3\nfloat: 1e3\noctal: 0o17\ndate: 2026-01-01\nsexagesimal: 190:20:30",
    # like Obsidian's
    "tags:\n  - memory\n  - claude/code\naliases: [one, \"two, three\", 'four']\ncssclasses: []\ncreated: 2026-05-01",
    'tags: [a, b]\nup: "[[Home]]"\nrelated:\n  - "[[One]]"\n  - "[[Two|second]]"',
    "tags:\n- a\n- b\npublish: false\nrating: 5",
    "aliases:\n  -\n  - x\n  - ''\nend: y",
    "tags: []\nmeta: {}\nlist: z",
    'date: 2026-05-01T10:00\ncover: "![[image.png]]"',
    # rule files
    'paths: ["migrations/**"]\nprotect: ["migrations/**"]                        # no tool may change these\n'
    'deny: ["Bash(git push --force *)", no-recursive-delete]\nrequire: ["Bash(git commit *) after Bash(pnpm lint)"]',
    "paths:\n  - src/**/*.ts\n  - \"*.tsx\"\n  - '!src/gen/**'",
    "paths: src/**/*.ts, lib/**/*.ts",
    "deny:\n  - Bash(git push --force *)\n  - Bash(rm -rf *)  # never\n  # - Bash(old)\n  - no-force-push\nask: []",
    'deny: [\n  "Bash(a)",\n  "Bash(b)",   # why\n\n  # and\n  \'Bash(c)\',\n]\nask: x',
    'deny: ["a",\n  b c,\n  d\n  e]\nask: x',
    "protect: [.env, .env.*, secrets/]\nask: [Bash(npm publish *)]",
    "allowed-tools: Bash(git:*), Read, Grep\nmodel: haiku\nargument-hint: <file>",
    "require:\n- Bash(git commit *) after Bash(pnpm test)\n- >-\n  Bash(git push *)\n  after Bash(pnpm lint)",
    # Chinese, Japanese and others
    "name: 数据库迁移\ndescription: 先改库，再发布；回滚要反着来\ntype: project",
    'name: 部署\ndescription: "顺序：先数据库，再后端"\nmetadata:\n  type: feedback\n  标签: [部署, 数据库]',
    "name: テスト方針\ndescription: >\n  モックを使わず、\n  本物のデータベースで\n\n  試す\ntype: feedback",
    "name: 한국어\ndescription: 배포는 금요일에 하지 않는다",
    "name: emoji-🧪\ndescription: 🧪 tests 👩‍👩‍👧 first",
    "name: ürün\ndescription: Größe – «genau» … “so”",
    # block scalars
    "text: |\n  one\n  two\nnext: x",
    "text: |-\n  one\n    indented\n\n  two\nnext: x",
    "text: |+\n  one\n\n\nnext: x",
    "text: >\n  folded\n  line\n\n  paragraph\n    code\n    code\n  back\nnext: x",
    "text: >-\n\n  starts empty\n\n\n  two breaks\nnext: x",
    "text: |2\n    deeper\n  edge\nnext: x",
    "text: >2-\n   one\n  two\nnext: x",
    "text: | # comment\n  # no comment\n  key: no key\n  - no entry\nnext: x",
    "text: |\nnext: >-\nlast: x",
    "list:\n  - |\n    one\n    two\n  - >-\n    three\n    four\n  - five",
    "metadata:\n  note: |\n    one\n     two\n  type: user",
    # nesting
    "metadata:\n  type: user\n\n  # comment\n  modified: x\nafter: y",
    "metadata:\n    type: user\n    tags:\n    - a\n    - b\n    more:\n      - c\nafter: y",
    "metadata: {type: user, tags: [a, \"b, c\"], note: 'x: y', url: http://a/b, empty: , none}\nafter: y",
    'metadata: {"type":"user","tags":["a"],"n":1}',
    "metadata: {\n  type: user,  # comment\n  tags: [a,\n    b]\n}\nafter: y",
    "metadata:\n  description: goes\n    on here\n  type: user",
    "a: b\na: c",
    "metadata:",
    "metadata: {}\nother: [ ]\nthird: [a, ]",
]

# YAML refuses these and Claude Code or a person writes them.
ONLY_WE_READ: "list[tuple[str, dict[str, object], str]]" = [
    (
        "description: Release order: tag first",
        {"description": "Release order: tag first"},
        "a colon in a plain value is by far the most frequent mistake, and the client writes it itself",
    ),
    (
        "description: ends with colon:",
        {"description": "ends with colon:"},
        "the same at the end of the line",
    ),
    (
        "description: one\n  two: three",
        {"description": "one two: three"},
        "the same in a value that goes on",
    ),
    ("paths: *.ts", {"paths": "*.ts"}, "the client reads an unquoted glob"),
    ("paths: **/*.ts", {"paths": "**/*.ts"}, "the client reads an unquoted glob"),
    ("paths: {src,lib}/**", {"paths": "{src,lib}/**"}, "the client reads an unquoted glob"),
    ("paths: [abc]*.ts", {"paths": "[abc]*.ts"}, "the client reads an unquoted glob"),
    ("paths:\n  - **/*.py\n  - *.js", {"paths": ["**/*.py", "*.js"]}, "an unquoted glob as an entry"),
    ("paths: [*.ts, **/*.js]", {"paths": ["*.ts", "**/*.js"]}, "an unquoted glob in a list"),
    ("paths: [src/*.{ts,js}, b]", {"paths": ["src/*.{ts,js}", "b"]}, "braces inside an entry belong to it"),
    ("paths: [{src,lib}/**, b]", {"paths": ["{src,lib}/**", "b"]}, "an entry may begin with braces"),
    ("a: @handle", {"a": "@handle"}, "YAML reserves the character and does nothing with it"),
    ("a: `code`", {"a": "`code`"}, "YAML reserves the character and does nothing with it"),
    ("a: %x", {"a": "%x"}, "YAML reserves the character and does nothing with it"),
    ("a: > 5 items", {"a": "> 5 items"}, "no block scalar has text on its first line"),
    ("a: | x |", {"a": "| x |"}, "no block scalar has text on its first line"),
    ("a: **bold** text", {"a": "**bold** text"}, "emphasis is no alias"),
    ("a: [Title](x.md) text", {"a": "[Title](x.md) text"}, "a link is no list"),
    ('a: "quoted" and more', {"a": '"quoted" and more'}, "nobody means half of the line"),
    ("a: 'it's fine'", {"a": "'it's fine'"}, "nobody means half of the line"),
    (r'a: "\d+"', {"a": r"\d+"}, "an escape that YAML does not know can only be meant as it stands"),
    ("a:\tb", {"a": "b"}, "a tab after the colon is a blank"),
    ("metadata:\n\ttype: user", {"metadata": {"type": "user"}}, "a tab indents"),
    ("a: b\nstray\nc: d", {"a": "b", "c": "d"}, "one bad line costs no other"),
    ("a: [x, y\nc: d", {"a": "[x, y", "c": "d"}, "one bad line costs no other"),
    ('a: "x\nc: d', {"a": '"x', "c": "d"}, "one bad line costs no other"),
    ("a: 'b'\n  c: d\ne: f", {"a": "b", "e": "f"}, "one bad line costs no other"),
    ("a: *nothing", {"a": "*nothing"}, "an alias is never followed, so it need not exist"),
    ("a: x\x07y", {"a": "x\x07y"}, "control characters are text"),
    ("a: - b", {"a": "- b"}, "an entry begins on a line of its own"),
    ("a: [b,, c]", {"a": ["b", "c"]}, "a comma too many"),
]

# YAML reads these another way.
READ_DIFFERENTLY: "list[tuple[str, dict[str, object], str]]" = [
    ("a: ~\nb: null", {"a": "", "b": ""}, "null is the empty text, not a word to show"),
    ("a: &x b\nc: *x", {"a": "&x b", "c": "*x"}, "anchors and aliases are text, and noted"),
    ("a: !t b", {"a": "!t b"}, "tags are text, and noted"),
    ("a: 'one\u2028  two'", {"a": "one\u2028  two"}, "only line ends end a line; YAML 1.1 ends one here"),
    (
        "a:\n  - Never deploy: Friday",
        {"a": ["Never deploy: Friday"]},
        "prose or a command with a colon is no mapping, only `word: …` is",
    ),
    (
        "a:\n  - Bash(echo x: y)",
        {"a": ["Bash(echo x: y)"]},
        "prose or a command with a colon is no mapping, only `word: …` is",
    ),
    ("a: 'x\nb: y'", {"a": "'x", "b": "y'"}, "a line that looks like a key ends a quoted text; it was not closed"),
    ('a: "\\ud83e\\uddea"', {"a": "🧪"}, "JSON writes characters beyond U+FFFF as two escapes"),
    ('a: "\\ud83e"', {"a": "\ufffd"}, "half a character cannot be written as UTF-8"),
]

# Valid YAML that is kept as text, and noted.
ONLY_YAML_READS = [
    ("{name: x, type: y}", "a header in braces"),
    ("? name\n: x", "a complex key"),
    ("- name\n- x", "a header that is a list"),
    ("hooks:\n  Stop:\n    deep: x", "two levels"),
    ("hooks:\n  Stop: {deep: x}", "two levels"),
    ("list:\n  - name: x\n    type: y", "a mapping in a list"),
    ("list:\n  - [a, b]\n  - c", "a list in a list"),
    ("list:\n  -\n    - a\n    - b", "a list in a list"),
]
