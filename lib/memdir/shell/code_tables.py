"""Which functions of JavaScript, Perl, Ruby and PHP do something: name, and an operation of `code_functions`.

`each rm` is `rm` for each argument, `one`, `last` and `pair` for the first, the last, the first two; `rm` looks at the
option `recursive`; `write` and `writes` are for the first and for each.
"""


def _table(text: str) -> "dict[str, str]":
    """Lines of `operation: names`."""
    found = {}
    for line in text.strip().split("\n"):
        operation, _, names = line.strip().partition(": ")
        found.update(dict.fromkeys(names.split(), operation))
    return found


_JAVASCRIPT = _table("""
    rm rm: fs.rm Deno.remove Deno.removeSync
    rm rmdir: fs.rmdir
    one rm: fs.unlink
    one rm -rf: fs.remove fs.emptyDir rimraf rimraf.rimraf rimraf.rimrafSync
    each rm -rf: del del.deleteAsync del.deleteSync del.default trash
    write: fs.writeFile fs.appendFile fs.createWriteStream fs.truncate fs.outputFile fs.outputJson fs.writeJson
    write: Bun.write
    write: Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Deno.create Deno.createSync
    write: Deno.truncate Deno.truncateSync fs.utimes fs.ensureFile
    pair cp: fs.copyFile Deno.copyFile Deno.copyFileSync
    pair cp -r: fs.cp fs.copy
    pair mv: fs.rename fs.move Deno.rename Deno.renameSync
    pair ln -s: fs.symlink Deno.symlink Deno.symlinkSync
    pair ln: fs.link Deno.link Deno.linkSync
    one cat: fs.readFile fs.createReadStream Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync
    one cat: Bun.file fs.readJson
    one mkdir -p: fs.mkdir fs.ensureDir fs.mkdirp Deno.mkdir Deno.mkdirSync
    one chmod +x: fs.chmod
    open: fs.open Deno.open Deno.openSync
    names: fs.readdir Deno.readDir Deno.readDirSync
    shell: child_process.exec child_process.execSync execa.execaCommand execa.execaCommandSync shelljs.exec
    argv: child_process.execFile child_process.execFileSync child_process.spawn child_process.spawnSync Deno.run
    argv: Deno.Command Bun.spawn Bun.spawnSync execa execa.execa execa.execaSync execa.sync
    program node: child_process.fork
    program rm: shelljs.rm
    program cp: shelljs.cp
    program mv: shelljs.mv
    cd: process.chdir Deno.chdir shelljs.cd
    eval: eval Function vm.runInThisContext vm.runInNewContext
    require: require import createRequire
    join: path.join path.resolve path.posix.join path.normalize
    same: String Buffer.from.toString Promise.resolve Array.from util.promisify
    here: process.cwd Deno.cwd
    home: os.homedir
    temporary: os.tmpdir
    glob: glob glob.glob glob.globSync fs.glob
""")
_PERL = _table("""
    each rm: unlink
    each rmdir: rmdir
    each rm -rf: rmtree remove_tree pathrmdir dirremove
    pair mv: rename move mv fmove rmove
    pair cp: copy cp fcopy
    pair cp -r: rcopy dircopy
    pair ln: link
    pair ln -s: symlink
    perlopen: open
    sysopen: sysopen
    open: IO::File.new
    write: truncate
    each mkdir -p: mkdir mkpath make_path
    mode chmod: chmod
    mode chown: chown
    exec: system exec readpipe
    exec 2: open2
    exec 3: open3
    eval: eval
    cd: chdir
    glob: glob bsd_glob File::Glob::bsd_glob
    names: readdir readline
    join: catfile catdir File::Spec.catfile File::Spec.catdir
    path: path Path::Tiny::path
    here: cwd getcwd Cwd::cwd Cwd::getcwd
    name: shift pop readline tempfile
""")
_RUBY = _table("""
    each rm: File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink
    each rm -rf: FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry
    each rm -rf: FileUtils.remove_entry_secure FileUtils.remove_file rm_rf rm_r rmtree
    each rmdir: Dir.rmdir Dir.delete Dir.unlink FileUtils.rmdir
    each mkdir -p: Dir.mkdir FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs
    writes: FileUtils.touch
    write: File.write IO.write File.binwrite IO.binwrite File.truncate
    pair cp: FileUtils.cp FileUtils.copy FileUtils.copy_file FileUtils.install
    pair cp -r: FileUtils.cp_r FileUtils.copy_entry
    pair mv: FileUtils.mv FileUtils.move File.rename
    pair ln: FileUtils.ln FileUtils.link File.link
    pair ln -s: FileUtils.ln_s FileUtils.symlink FileUtils.ln_sf File.symlink
    read: File.read IO.read File.readlines IO.readlines File.binread File.foreach IO.foreach CSV.read YAML.load_file
    open: File.open File.new open IO.open CSV.open
    mode chmod: File.chmod FileUtils.chmod FileUtils.chmod_R
    exec: system exec spawn IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e
    exec: Open3.popen3 Open3.pipeline PTY.spawn
    eval: eval instance_eval class_eval module_eval
    send: send public_send __send__
    function: method
    cd: Dir.chdir FileUtils.cd FileUtils.chdir
    glob: Dir.glob Dir.[] Dir
    names: Dir.entries Dir.children Dir.each_child Dir.foreach
    join: File.join
    same: File.expand_path File.absolute_path File.realpath
    path: Pathname.new Pathname
    here: Dir.pwd Dir.getwd
    home: Dir.home
    temporary: Dir.tmpdir
    require: require require_relative
""")
_PHP = _table("""
    one rm: unlink
    one rmdir: rmdir
    pair mv: rename move_uploaded_file
    pair cp: copy
    pair ln -s: symlink
    pair ln: link
    one mkdir -p: mkdir
    write: touch file_put_contents
    open: fopen gzopen SplFileObject.new
    one cat: file_get_contents file readfile parse_ini_file include require include_once require_once
    mode chmod: chmod
    mode chown: chown
    shell: system exec shell_exec passthru popen proc_open
    argv: pcntl_exec
    eval: eval assert create_function
    send: call_user_func call_user_func_array
    map: array_map
    cd: chdir
    glob: glob
    names: scandir
    name: getenv fgets tempnam
    same: realpath trim strval
    here: getcwd
    temporary: sys_get_temp_dir
""")
_APPLESCRIPT = {"do shell script": "shell"}
TABLES = {"javascript": _JAVASCRIPT, "perl": _PERL, "ruby": _RUBY, "php": _PHP, "applescript": _APPLESCRIPT}

# Of objects that stand for a path: Ruby's Pathname, Perl's Path::Tiny.
METHODS = _table("""
    one rm: delete unlink remove
    one rm -rf: rmtree remove_tree
    one rmdir: rmdir
    write: write binwrite spew spew_utf8 append touch truncate
    one cat: read slurp slurp_utf8 lines readlines
    pair mv: rename move
    pair cp: copy
    one mkdir -p: mkpath mkdir
    open: open
""")
