"""Writes our own suites of deliverables. Every expected text and hash is computed here, apart from the library.

    python3 vectors/generate/deliverables.py
"""
import copy
import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent.parent / "deliverables"
PREFIX = "legalforecast.multiharness."
BASIS = "Derived by hand from the rules; texts and hashes computed by vectors/generate/deliverables.py."


def ascii_text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sha(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def commit(value):
    return sha(ascii_text(value).encode())


BINDINGS = {name + "_sha256": sha(name.encode()) for name in ("task", "run", "config")}
LIMITS = {"max_files": 100, "max_file_bytes": 104857600, "max_total_bytes": 524288000}


def tree_of(files):
    """files: path to bytes"""
    entries = {}
    for path, data in files.items():
        parts = path.split("/")
        for depth in range(1, len(parts)):
            parent = "/".join(parts[:depth])
            entries[parent] = {"path": parent, "type": "directory"}
        entries[path] = {"path": path, "type": "file", "sha256": sha(data), "size_bytes": len(data)}
    listed = [entries[path] for path in sorted(entries)]
    return {"schema_version": PREFIX + "deliverable_tree_commitment.v1", "entries": listed}


def manifest_of(files, **replaced):
    """files: list of (id, path, bytes)"""
    artifacts = [
        {"artifact_id": name, "path": path, "media_type": "text/plain", "sha256": sha(data),
         "size_bytes": len(data), "max_size_bytes": 1024}
        for name, path, data in sorted(files)
    ]
    manifest = {
        "schema_version": PREFIX + "deliverable_manifest.v1", **BINDINGS, "artifacts": artifacts,
        "total_size_bytes": sum(len(data) for _, _, data in files),
        "max_files": LIMITS["max_files"], "max_total_size_bytes": LIMITS["max_total_bytes"],
        "tree_sha256": commit(tree_of({path: data for _, path, data in files})),
    }
    manifest.update(replaced)
    return seal(manifest)


def seal(manifest):
    body = {name: value for name, value in manifest.items() if name != "manifest_sha256"}
    return {**body, "manifest_sha256": commit(body)}


def write(name, op, about, cases, shared=None):
    ids = [case["id"] for case in cases]
    assert len(set(ids)) == len(ids), name
    head = {"suite": "deliverables/" + name, "op": op, "about": about, "basis": BASIS}
    if shared:
        head["shared"] = shared
    text = json.dumps(head, ensure_ascii=True)[:-1] + ', "cases": [\n'
    text += ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases) + "\n]}\n"
    (HERE / (name + ".json")).write_text(text)


def refused(kind, field=None):
    return {"ok": False, "kind": kind, **({"field": field} if field else {})}


# Sealing: paths by themselves and together

def sealing(name, note, paths, expect=None, sources=None, **more):
    """Seals one file for each path; the source has short names of its own unless told."""
    sources = sources or ["f%d" % index for index in range(len(paths))]
    contents = [("%d\n" % index).encode() for index in range(len(paths))]
    seen = set()
    files = []
    for source, data in zip(sources, contents):
        if source not in seen:
            files.append({"path": "source/" + source, "utf8": data.decode()})
        seen.add(source)
    if not more.pop("build", True):
        files = [{"path": "source", "dir": True}]
    declaration = [
        {"artifact_id": "a%03d" % index, "source_path": source, "path": path, "media_type": "text/plain",
         "max_size_bytes": 1024}
        for index, (source, path) in enumerate(zip(sources, paths))
    ]
    if expect is None:
        listed = [("a%03d" % index, path, data) for index, (path, data) in enumerate(zip(paths, contents))]
        manifest = manifest_of(listed)
        expect = {
            "ok": True, "manifest_json": ascii_text(manifest), "manifest_sha256": manifest["manifest_sha256"],
            "tree_sha256": manifest["tree_sha256"],
            "tree_preimage": ascii_text(tree_of({path: data for _, path, data in listed})),
            "sealed_file_mode": "0444", "sealed_dir_mode": "0555",
        }
    given = {"files": files, "source_root": "source", "sealed_root": "sealed", "bindings": BINDINGS,
             "limits": None, "declaration": declaration, **more}
    return {"id": name, "note": note, "input": given, "expect": expect}


def same(name, note, *paths):
    return sealing(name, note, list(paths), refused("casefold_collision", "path"))


paths = [
    sealing("p001", "folding is not lower-casing: a dotted capital I is not i", ["\u0130", "i"]),
    same("p002", "a dotted capital I folds to i and a dot above", "\u0130", "i\u0307"),
    same("p003", "long s is s", "\u017f", "S"),
    same("p004", "the Kelvin sign is k", "\u212a", "k"),
    same("p005", "the micro sign is mu", "\u00b5", "\u03bc"),
    same("p006", "final sigma is sigma", "\u03c2", "\u03a3"),
    same("p007", "a ligature is its letters", "\ufb01", "FI"),
    same("p008", "capital sharp s is ss", "\u1e9e", "ss"),
    sealing("p009", "a dotless i is a letter of its own", ["\u0131", "i"]),
    same("p010", "Cherokee folds to its capitals", "\uab70", "\u13a0"),
    same("p011", "a row of Unicode 16.0.0: Garay", "\U00010d50", "\U00010d70"),
    same("p012", "a row of Unicode 16.0.0: Cyrillic tje", "\u1c89", "\u1c8a"),
    sealing("p013", "only whole paths are folded: parents may differ in case", ["Docs/a", "docs/b"]),
    sealing("p014", "a name that begins another is no prefix of it", ["a-b/c", "a.b", "ab", "b/a", "b0"]),
    sealing("p015", "a prefix by component, with others that sort between",
            ["a", "a-b", "a/b"], refused("path_prefix_collision")),
    sealing("p016", "the same prefix in another case passes", ["OUT", "out/b"]),
    sealing("p017", "what is no escape stays", ["100%", "a%zz", "%", "%2", "%g0"]),
    sealing("p018", "an escape that is no UTF-8 has changed too", ["%ff"], refused("path_percent_encoded", "path")),
    sealing("p019", "an escaped separator alone is safe after decoding", ["a%2Fb"],
            refused("path_percent_encoded", "path")),
    sealing("p020", "an escaped separator at the end is not", ["a%2f"],
            refused("path_unsafe_after_decoding", "path")),
    sealing("p021", "an escaped backslash", ["a%5cb"], refused("path_unsafe_after_decoding", "path")),
    sealing("p022", "an escaped blank name", ["%20"], refused("path_unsafe_after_decoding", "path")),
    sealing("p023", "an escaped hidden name", ["%2Eenv"], refused("path_unsafe_after_decoding", "path")),
    sealing("p024", "decoded once only: what is left of the second escape is not looked at", ["%252e%252e"],
            refused("path_percent_encoded", "path")),
    sealing("p025", "escapes come before all else", ["/a%20"], refused("path_unsafe_after_decoding", "path")),
    sealing("p026", "a backslash comes before a root", ["/a\\b"], refused("path_backslash", "path")),
    sealing("p027", "a root comes before a bad name", ["/../a"], refused("path_absolute", "path")),
    sealing("p028", "a bad name comes before a hidden one", [".a/../b"], refused("path_bad_segment", "path")),
    sealing("p029", "U+0085 and U+001C are blank", ["\x85\x1c"], refused("path_empty", "path")),
    sealing("p030", "U+FEFF is not blank", ["\ufeff"]),
    sealing("p031", "source paths come before paths", ["../a"], refused("path_bad_segment", "source_path"),
            sources=["../b"], build=False),
    sealing("p032", "source paths that fold alike come before paths that do", ["b", "B"],
            refused("casefold_collision", "source_path"), sources=["a", "A"], build=False),
    sealing("p033", "paths that fold alike come before a prefix of sources", ["b", "B"],
            refused("casefold_collision", "path"), sources=["a", "a/b"], build=False),
    sealing("p034", "a prefix of sources", ["b", "c"], refused("path_prefix_collision"),
            sources=["a", "a/b"], build=False),
    sealing("p035", "a path longer than any system takes", ["a" * 32768], refused("path_too_long", "path")),
    sealing("p036", "a sealed root that ends in ..", ["a"], refused("sealed_root_not_fresh"),
            sealed_root="nope/.."),
    sealing("p037", "a sealed root that ends in a dot", ["a"], refused("sealed_root_not_fresh"),
            sealed_root="nope/."),
    sealing("p038", "the source root comes before the sealed one", ["a"], refused("root_missing", "source_root"),
            source_root="nope", sealed_root="nope/sealed"),
    sealing("p039", "the sealed root is the source root", ["a"], refused("sealed_root_not_fresh"),
            sealed_root="source"),
]
write("path-rules", "deliverable.seal", "Paths of deliverables: folding at Unicode 16.0.0, escapes, prefixes, the order of "
      "judgement; roots.", paths)


def bad(name, note, kind, *paths):
    return sealing(name, note, list(paths), refused(kind, "path"))


portable = [
    sealing("q001", "plain names", ["Docs/a.txt", "Docs/b.txt", "out/COM10", "out/console", "out/lpt0.txt"]),
    sealing("q002", "letters of any script, blanks and dots inside", ["\u00e9 t\u00e9.v1/\u65e5\u672c.txt", "a b/c.d.e"]),
    bad("q003", "directories that differ in case", "path_merges_elsewhere", "Docs/a", "docs/b"),
    bad("q004", "a file and a directory that differ in case", "path_merges_elsewhere", "OUT", "out/b"),
    bad("q005", "one letter composed and decomposed", "path_merges_elsewhere", "caf\u00e9", "cafe\u0301"),
    bad("q006", "the same in a directory", "path_merges_elsewhere", "caf\u00e9/a", "cafe\u0301/b"),
    bad("q007", "another case, and decomposed", "path_merges_elsewhere", "CAF\u00c9/a", "cafe\u0301/b"),
    bad("q008", "a directory with sharp s and with ss", "path_merges_elsewhere", "stra\u00dfe/a", "STRASSE/b"),
    bad("q009", "paths that sort between hide nothing", "path_merges_elsewhere", "Aa/x", "aB", "aa/b/c", "aA.b"),
    bad("q010", "CON", "path_device_name", "con"),
    bad("q011", "with an extension", "path_device_name", "out/Aux.tar.gz"),
    bad("q012", "with a blank before the extension", "path_device_name", "NUL .txt"),
    bad("q013", "PRN as a directory", "path_device_name", "prn/a"),
    bad("q014", "COM1", "path_device_name", "COM1"),
    bad("q015", "LPT9", "path_device_name", "lpt9.log"),
    bad("q016", "superscript digits count", "path_device_name", "COM\u00b2"),
    bad("q017", "so do they with an extension", "path_device_name", "lpt\u00b9.a"),
    bad("q018", "a dot at the end", "path_trailing_dot_or_blank", "a."),
    bad("q019", "a blank at the end of a directory", "path_trailing_dot_or_blank", "a /b"),
    bad("q020", "a control character", "path_control_character", "a\x01b"),
    bad("q021", "delete", "path_control_character", "a\x7f"),
    bad("q022", "a control character beyond ASCII", "path_control_character", "a\x9bb"),
    bad("q023", "a line feed", "path_control_character", "a\nb"),
    *[bad("q%03d" % (24 + index), "reserved: " + character, "path_reserved_character", "a%sb" % character)
      for index, character in enumerate('<>:"|?*')],
    sealing("q031", "a name of 255 bytes", ["\u00e9" * 127 + "a"]),
    bad("q032", "a name of 256 bytes", "path_name_too_long", "\u00e9" * 128),
    bad("q033", "an unpaired surrogate", "path_unpaired_surrogate", "a\ud800b"),
    bad("q034", "rules for all systems come first", "path_hidden_segment", ".con"),
    sealing("q035", "whole paths that fold alike stay that", ["A", "a"], refused("casefold_collision", "path")),
    sealing("q036", "source paths stay where they are, and are free", ["a", "b"], sources=["CON", "con.txt"]),
    {**sealing("q037", "off, the same is sealed", ["Docs/a", "docs/b:c"]), "tags": ["portable-off"]},
]
portable[-1]["input"]["portable"] = False
write("portable", "deliverable.seal", "Paths that must survive on other systems.", portable, {"portable": True})

# Manifests

GOOD = manifest_of([("answer", "work/answer.md", b"# Answer\n"), ("data", "data.csv", b"a,b\n1,2\n")])


def parse(name, note, change, expect, reseal=True, **more):
    manifest = copy.deepcopy(GOOD)
    result = change(manifest)
    manifest = manifest if result is None else result
    if reseal:
        try:
            manifest = seal(manifest)
        except (AttributeError, ValueError):
            pass
    given = {"manifest_json": json.dumps(manifest), **more}
    if expect is True:
        expect = {"ok": True, "manifest_sha256": manifest["manifest_sha256"], "rewritten_json": ascii_text(manifest)}
    return {"id": name, "note": note, "input": given, "expect": expect}


def put(member, value):
    return lambda manifest: manifest.__setitem__(member, value)


def put_in(index, member, value):
    return lambda manifest: manifest["artifacts"][index].__setitem__(member, value)


def both(*changes):
    def change(manifest):
        for one in changes:
            one(manifest)
    return change


def rehash(manifest):
    manifest["manifest_sha256"] = sha(b"another")


BARE = "0" * 64
manifests = [
    parse("m001", "as sealed", lambda manifest: None, True),
    parse("m002", "members in another order", lambda manifest: dict(reversed(list(manifest.items()))), True),
    parse("m003", "integers of any size", both(put("max_files", 10**40), put("max_total_size_bytes", 2**64)), True),
    parse("m004", "no object", lambda manifest: [], refused("wrong_type"), reseal=False),
    parse("m005", "member set before version", both(put("schema_version", "x"), put("extra", 1)),
          refused("fields_mismatch")),
    parse("m006", "version is blank", put("schema_version", " "), refused("schema_version_unsupported", "schema_version")),
    parse("m007", "version is no text", put("schema_version", 1), refused("schema_version_unsupported", "schema_version")),
    parse("m008", "artifacts are no list", put("artifacts", {}), refused("not_an_array", "artifacts")),
    parse("m009", "an artifact is no object", lambda manifest: manifest["artifacts"].__setitem__(1, None),
          refused("not_an_object", "artifacts[1]")),
    parse("m010", "an artifact has a member too many", put_in(0, "source_path", "x"), refused("fields_mismatch")),
    *[parse("m%03d" % (11 + index), "%s of an artifact is blank" % member, put_in(0, member, "\x1c"),
            refused("string_empty", member))
      for index, member in enumerate(["artifact_id", "path", "media_type", "sha256"])],
    parse("m015", "size is a boolean", put_in(0, "size_bytes", True), refused("not_non_negative_integer", "size_bytes")),
    parse("m016", "size is negative", put_in(0, "size_bytes", -1), refused("not_non_negative_integer", "size_bytes")),
    parse("m017", "limit is zero", put_in(0, "max_size_bytes", 0), refused("not_positive_integer", "max_size_bytes")),
    parse("m018", "limit is a float", put_in(0, "max_size_bytes", 1024.0),
          refused("not_positive_integer", "max_size_bytes")),
    parse("m019", "types before the path", both(put_in(0, "path", "../a"), put_in(0, "size_bytes", None)),
          refused("not_non_negative_integer", "size_bytes")),
    parse("m020", "the path", put_in(0, "path", "a/../b"), refused("path_bad_segment", "path")),
    parse("m021", "the path before the media type", both(put_in(0, "path", ".a"), put_in(0, "media_type", "x")),
          refused("path_hidden_segment", "path")),
    parse("m022", "the media type", put_in(0, "media_type", "text"), refused("media_type_invalid")),
    parse("m023", "the hash is malformed", put_in(0, "sha256", "sha256:" + BARE[1:]), refused("digest_invalid", "sha256")),
    parse("m024", "the hash is bare", put_in(0, "sha256", BARE), refused("digest_not_prefixed", "sha256")),
    parse("m025", "the first artifact before the second", both(put_in(0, "sha256", "x"), put_in(1, "path", None)),
          refused("digest_invalid", "sha256")),
    parse("m026", "artifacts before other members", both(put_in(1, "sha256", "x"), put("task_sha256", "")),
          refused("digest_invalid", "sha256")),
    *[parse("m%03d" % (27 + index), "%s is blank" % member, put(member, ""), refused("string_empty", member))
      for index, member in enumerate(["task_sha256", "run_sha256", "config_sha256", "tree_sha256"])],
    parse("m031", "manifest_sha256 is null", put("manifest_sha256", None), refused("string_empty", "manifest_sha256"),
          reseal=False),
    parse("m032", "types before digests", both(put("task_sha256", "x"), put("max_files", 0)),
          refused("not_positive_integer", "max_files")),
    parse("m033", "the total limit is text", put("max_total_size_bytes", "1"),
          refused("not_positive_integer", "max_total_size_bytes")),
    parse("m034", "a digest malformed before the next is bare", both(put("task_sha256", "x"), put("run_sha256", BARE)),
          refused("digest_invalid", "task_sha256")),
    parse("m035", "a bare digest before the next is malformed", both(put("task_sha256", BARE), put("run_sha256", "x")),
          refused("digest_not_prefixed", "task_sha256")),
    parse("m036", "manifest_sha256 is bare", put("manifest_sha256", BARE),
          refused("digest_not_prefixed", "manifest_sha256"), reseal=False),
    parse("m037", "digests before the set", both(put("artifacts", []), put("tree_sha256", "x")),
          refused("digest_invalid", "tree_sha256")),
    parse("m038", "one id twice", put_in(1, "artifact_id", "answer"), refused("duplicate_artifact_id")),
    parse("m039", "ids before paths", both(put_in(1, "artifact_id", "answer"), put_in(1, "path", "WORK/answer.md")),
          refused("duplicate_artifact_id")),
    parse("m040", "paths that fold alike", put_in(1, "path", "WORK/an\u017fwer.md"), refused("casefold_collision", "path")),
    parse("m041", "a path through another", put_in(1, "path", "work/answer.md/b"), refused("path_prefix_collision")),
    parse("m042", "prefixes before order", both(put_in(1, "path", "work"), put_in(1, "artifact_id", "aa")),
          refused("path_prefix_collision")),
    parse("m043", "ids in the order of code points", both(put_in(0, "artifact_id", "\U0001f600"),
                                                          put_in(1, "artifact_id", "\uff5e")),
          refused("artifacts_not_sorted")),
    parse("m044", "order before count", both(put_in(0, "artifact_id", "z"), put("max_files", 1)),
          refused("artifacts_not_sorted")),
    parse("m045", "count before total", both(put("max_files", 1), put("total_size_bytes", 1)), refused("too_many_artifacts")),
    parse("m046", "total before its limit", both(put("total_size_bytes", 18), put("max_total_size_bytes", 1)),
          refused("total_size_mismatch")),
    parse("m047", "total before the hash", both(put("max_total_size_bytes", 16), rehash),
          refused("total_size_exceeds_max"), reseal=False),
    parse("m048", "the hash of another manifest", rehash, refused("manifest_hash_mismatch"), reseal=False),
    parse("m049", "portable: a path by itself", put_in(0, "path", "work/aux.md"), refused("path_device_name", "path"),
          portable=True),
    parse("m050", "portable: paths together", put_in(1, "path", "Work/data.csv"), refused("path_merges_elsewhere", "path"),
          portable=True),
    parse("m051", "portable: prefixes before merging", both(put_in(0, "path", "a/B"), put_in(1, "path", "a")),
          refused("path_prefix_collision"), portable=True),
    parse("m052", "not portable: the same", put_in(1, "path", "Work/data.csv"), True, portable=False),
]
write("manifest-rules", "deliverable.parse_manifest", "Every fault of a manifest, and which of two comes first.", manifests)

# Checking a tree

TREE = [
    {"path": "sealed", "dir": True, "mode": "0555"},
    {"path": "sealed/work", "dir": True, "mode": "0555"},
    {"path": "sealed/work/answer.md", "utf8": "# Answer\n", "mode": "0444"},
    {"path": "sealed/data.csv", "utf8": "a,b\n1,2\n", "mode": "0444"},
]


def check(name, note, files, expect, manifest=GOOD, root="sealed"):
    if expect is True:
        expect = {"ok": True, "manifest_sha256": manifest["manifest_sha256"]}
    given = {"files": files, "sealed_root": root, "manifest_json": json.dumps(manifest)}
    return {"id": name, "note": note, "input": given, "expect": expect}


def without(path, *instead):
    return [entry for entry in TREE if not (entry["path"] + "/").startswith(path + "/")] + list(instead)


def forged(**members):
    manifest = copy.deepcopy(GOOD)
    manifest["artifacts"][0].update(members)
    manifest["total_size_bytes"] = sum(artifact["size_bytes"] for artifact in manifest["artifacts"])
    return seal(manifest)


tight = seal({**copy.deepcopy(GOOD), "max_total_size_bytes": 17})
checks = [
    check("c001", "as sealed", TREE, True),
    check("c002", "bits beyond permission, and execution, do not count",
          without("sealed/data.csv", {"path": "sealed/data.csv", "utf8": "a,b\n1,2\n", "mode": "0555"}), True),
    check("c003", "the manifest comes first", [{"path": "other", "dir": True}], refused("manifest_hash_mismatch"),
          {**GOOD, "manifest_sha256": sha(b"another")}),
    check("c004", "the root is a link", [{"path": "real", "dir": True}, {"path": "sealed", "symlink": "real"}],
          refused("root_not_real_directory", "sealed_root")),
    check("c005", "the root is a file", [{"path": "sealed", "utf8": "x"}], refused("root_not_real_directory", "sealed_root")),
    check("c006", "a writable root comes before what is in it",
          [{"path": "sealed", "dir": True, "mode": "0557"}, {"path": "sealed/extra", "utf8": "x"}], refused("not_read_only")),
    check("c007", "an empty directory too many", [*TREE, {"path": "sealed/z", "dir": True, "mode": "0555"}],
          refused("unexpected_path")),
    check("c008", "a link where a file belongs",
          without("sealed/data.csv", {"path": "sealed/data.csv", "symlink": "work/answer.md"}),
          refused("not_single_link_regular_file")),
    check("c009", "a pipe where a file belongs",
          without("sealed/data.csv", {"path": "sealed/data.csv", "fifo": True, "mode": "0444"}),
          refused("not_single_link_regular_file")),
    check("c010", "a link where a directory belongs", without("sealed/work", {"path": "sealed/work", "symlink": "."}),
          refused("unexpected_path")),
    check("c011", "a directory where a file belongs",
          without("sealed/data.csv", {"path": "sealed/data.csv", "dir": True, "mode": "0555"}), refused("unexpected_path")),
    check("c012", "a directory is missing", without("sealed/work"), refused("missing_path")),
    check("c013", "what is unexpected comes before what is missing",
          without("sealed/work", {"path": "sealed/extra", "utf8": "x", "mode": "0444"}), refused("unexpected_path")),
    check("c014", "what is missing comes before sizes",
          [entry for entry in without("sealed/work") if entry["path"] != "sealed/data.csv"] +
          [{"path": "sealed/data.csv", "sparse": 5000, "mode": "0444"}], refused("missing_path")),
    check("c015", "files within their limits, together over the total",
          without("sealed/data.csv", {"path": "sealed/data.csv", "sparse": 9, "mode": "0444"}), refused("total_limit"), tight),
    check("c016", "a file over its limit comes before the total",
          without("sealed/data.csv", {"path": "sealed/data.csv", "sparse": 1025, "mode": "0444"}), refused("per_file_limit"),
          tight),
    check("c017", "a file is shorter", without("sealed/data.csv", {"path": "sealed/data.csv", "utf8": "", "mode": "0444"}),
          refused("tree_mismatch")),
    check("c018", "the size of a file is forged", TREE, refused("file_size_mismatch"), forged(size_bytes=10)),
    check("c019", "hash before size", TREE, refused("file_hash_mismatch"), forged(size_bytes=10, sha256=sha(b"x"))),
]
write("check-rules", "deliverable.check", "Every fault of a sealed tree, and which of two comes first.", checks)
