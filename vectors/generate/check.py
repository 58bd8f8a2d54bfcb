"""Holds suites against a second reading of the rules, in Python and apart from the library.

    python3 vectors/generate/check.py

Covers capsule.verify_journal, capsule.verify, receipt.check, canonical.encode, retrospective.group and, but for trees, the
readers of the gate in the suites named below: hashes, UTF-8, nesting, the chain, metadata, kinds of files and the order of
checks. The suites of recording are read in recording.py. Prints one line a suite; the exit status is 1 when an expectation
differs.
"""

import base64
import hashlib
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent
ZEROS = "0" * 64
HASH = re.compile(r"[0-9a-f]{64}\Z")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}\Z")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z", re.ASCII)
IDENTITY = ["schema", "run_id", "capsule_id", "harness_version", "task_family"]
LINEAGES = ["plan", "attempt", "interaction", "environment", "strategy"]
CLASSES = ["SE0", "SE1", "SE2", "SE3", "SE4"]
FIELDS = {*IDENTITY, "seq", "ts", "lineage", "kind", "effect_class", "parent_hash", "payload", "entry_hash"}
INTEGERS = {"tokens_in", "tokens_out", "passed", "failed", "total", "hits", "blocked"}
NUMBERS = {"duration_ms", "cost_usd", "score", "risk"}
TEXTS = set(
    "task_id task_family tool tool_call_id args_hash response_hash status model message note decision reason variant "
    "digest path fixture_key stage verdict branch_id parent_branch_id summary event_id session file maneuver threshold"
    .split()
)


class Syntax(Exception):
    pass


class TooDeep(Exception):
    pass


def parse(text):
    """JSON by recursive rules without recursion: a stack of open containers, read from left to right."""
    token = re.compile(r'[ \t\n\r]*(?:([\[\]{},:])|("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|'
                       r"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))")
    stack, at, want, result, done = [], 0, "value", None, False

    def put(value):
        nonlocal want, result, done
        if not stack:
            result, done = value, True
        elif isinstance(stack[-1][0], list):
            stack[-1][0].append(value)
        else:
            stack[-1][0][stack[-1][1]] = value
        want = "end"

    while True:
        found = token.match(text, at)
        if not found:
            if text[at:].strip(" \t\n\r") == "" and done and not stack:
                return result
            raise Syntax
        if done and not stack:
            raise Syntax
        at = found.end()
        mark, string, number, word = found.groups()
        if mark in ("[", "{"):
            if want not in ("value", "first value"):
                raise Syntax
            if len(stack) == 1000:
                raise TooDeep
            stack.append([[] if mark == "[" else {}, None])
            want = "first value" if mark == "[" else "first key"
        elif mark in ("]", "}"):
            if not stack or isinstance(stack[-1][0], list) != (mark == "]"):
                raise Syntax
            if want not in ("end", "first value", "first key"):
                raise Syntax
            put(stack.pop()[0])
        elif mark == ",":
            if not stack or want != "end":
                raise Syntax
            want = "value" if isinstance(stack[-1][0], list) else "key"
        elif mark == ":":
            if want != "colon":
                raise Syntax
            want = "value"
        elif want in ("key", "first key"):
            if string is None:
                raise Syntax
            stack[-1][1], want = json.loads(string), "colon"
        elif want in ("value", "first value"):
            put(json.loads(string or number or word, parse_int=float))
        else:
            raise Syntax


def units(text):
    return text.encode("utf-16-be", "surrogatepass")


def quote(text):
    short = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
    return '"' + "".join(
        "\\" + short[ord(c)] if ord(c) in short
        else f"\\u{ord(c):04x}" if ord(c) < 32 or 0xD800 <= ord(c) < 0xE000 else c
        for c in text) + '"'


def canonical(value):
    if isinstance(value, dict):
        return "{" + ",".join(f"{quote(k)}:{canonical(value[k])}" for k in sorted(value, key=place)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, str):
        return quote(value)
    return number(value)


def place(name):
    """Where a member stands: array indices first, in the order of numbers, then all others by code unit."""
    is_index = re.fullmatch(r"0|[1-9][0-9]*", name) and int(name) < 2**32 - 1
    return (0, int(name), b"") if is_index else (1, 0, units(name))


def number(value):
    """The shortest digits that read back as the same double, laid out as ECMAScript does."""
    if value - value != 0:
        return "null"
    if value == 0:
        return "0"
    _, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if not -6 < point <= 21:
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+d}"
    elif point <= 0:
        text = "0." + "0" * -point + text
    elif point >= len(text):
        text += "0" * (point - len(text))
    else:
        text = text[:point] + "." + text[point:]
    return "-" + text if value < 0 else text


def digest(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def is_entry(entry):
    if not isinstance(entry, dict) or set(entry) != FIELDS:
        return False
    payload = entry["payload"]
    return (entry["schema"] == "capsule-envelope/v1"
            and all(isinstance(entry[n], str) and ID.match(entry[n]) for n in ("run_id", "capsule_id"))
            and is_number(entry["seq"]) and entry["seq"] == int(entry["seq"]) and entry["seq"] >= 0
            and isinstance(entry["ts"], str) and bool(TIME.match(entry["ts"]))
            and entry["lineage"] in LINEAGES and entry["effect_class"] in CLASSES
            and isinstance(entry["kind"], str) and bool(re.match(r"[a-z][a-z0-9_.-]{0,63}\Z", entry["kind"]))
            and all(isinstance(entry[n], str) and entry[n] for n in ("harness_version", "task_family"))
            and all(isinstance(entry[n], str) and HASH.match(entry[n]) for n in ("parent_hash", "entry_hash"))
            and isinstance(payload, dict) and all(map(is_field, payload, payload.values()))
            and digest({k: v for k, v in entry.items() if k != "entry_hash"}) == entry["entry_hash"])


def is_field(name, value):
    if name in TEXTS:
        # Of the canaries only the two that the suites use.
        return isinstance(value, str) and not re.search(r"\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bAKIA[0-9A-Z]{16}\b", value)
    if name == "exit_code":
        return value is None or (is_number(value) and value == int(value))
    return is_number(value) and (name in NUMBERS or (name in INTEGERS and value == int(value)))


def is_number(value):
    return isinstance(value, float) and value - value == 0


def bytes_of(content):
    if content.get("absent"):
        return None
    if content.get("dir") or content.get("fifo"):
        return "unreadable"
    if "sparse" in content:
        return bytes(content["sparse"])
    return base64.b64decode(content["base64"]) if "base64" in content else content["utf8"].encode()


def journal(data):
    """The verdict over a journal: code, index, entries."""
    if data is None:
        return "missing_journal", None, []
    if data == "unreadable":
        return "unreadable_journal", None, []
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "non_canonical", None, []
    if text and not text.endswith("\n"):
        return "truncated_tail", text.count("\n"), []
    entries, head = [], ZEROS
    for index, line in enumerate(text.split("\n")[:-1]):
        try:
            entry = parse(line)
        except Syntax:
            return "corrupt_entry", index, entries
        except TooDeep:
            return "invalid_entry", index, entries
        if not is_entry(entry):
            return "invalid_entry", index, entries
        if entry["seq"] != index:
            return "reordered", index, entries
        if entry["parent_hash"] != head:
            return "broken_link", index, entries
        if canonical(entry) != line:
            return "non_canonical", index, entries
        entries.append(entry)
        head = entry["entry_hash"]
    return "ok", None, entries


def document(data):
    """A JSON object from bytes, or nothing."""
    try:
        value = parse(data.decode()) if isinstance(data, bytes) else None
    except (Syntax, TooDeep, UnicodeDecodeError):
        return None
    return value if isinstance(value, dict) else None


def capsule(files):
    code, at, entries = journal(files["journal.ndjson"])
    if code != "ok":
        return code, at, entries, None
    metadata = document(files["capsule.json"])
    if metadata is None or metadata.get("schema") != "capsule-envelope/v1":
        return "metadata_invalid", None, entries, None
    for index, entry in enumerate(entries):
        if any(entry[name] != metadata.get(name) for name in IDENTITY):
            return "metadata_mismatch", index, entries, None
    return "ok", None, entries, metadata


def named(files):
    found = {"journal.ndjson": None, "capsule.json": None, "projection.json": None}
    by_path = {file["path"]: file for file in files}

    def follow(file):
        target = file.get("symlink", file.get("hardlink"))
        return file if target is None else follow(by_path.get(target, {"absent": True}))

    return found | {path: bytes_of(follow(file)) for path, file in by_path.items()}


def code_of(name):
    return name if name == "ok" else f"capsule.{name}"


def verify_journal(given):
    code, at, _ = journal(bytes_of(given["journal"]))
    return {"ok": code == "ok", "code": code_of(code), "failed_at": at}


def verify(given):
    code, at, entries, _ = capsule(named(given["files"]))
    head = entries[-1]["entry_hash"] if entries else ZEROS
    keeps = code not in ("missing_journal", "unreadable_journal", "truncated_tail") and (code, at) != ("non_canonical", None)
    return {"ok": code == "ok", "code": code_of(code), "failed_at": at,
            "entry_count": len(entries) if keeps else 0, "root_hash": head if code == "ok" else None}


def check(given):
    failed = first_failure(given)
    return {"ok": failed is None, "check": failed}


def projection(entries, metadata, journal_sha256):
    count = lambda field, names: {name: sum(entry[field] == name for entry in entries) for name in names}
    effects = count("effect_class", CLASSES)
    found = {name: metadata[name] for name in IDENTITY} | {
        "entry_count": len(entries), "last_seq": len(entries) - 1 if entries else None,
        "root_hash": entries[-1]["entry_hash"] if entries else ZEROS,
        "journal_sha256": journal_sha256, "by_lineage": count("lineage", LINEAGES), "by_effect_class": effects,
        "max_effect_class": max([name for name in CLASSES if effects[name]], default="SE0")}
    return found | {"projection_hash": digest(found)}


def first_failure(given):
    receipt = document(given["receipt_json"].encode())
    if receipt is None or receipt.get("schema") != "capsule-receipt/v1":
        return "schema"
    if digest({k: v for k, v in receipt.items() if k != "receipt_hash"} | {"signature": None}) != receipt["receipt_hash"]:
        return "receipt_hash"
    if given["verifier"] and not (receipt.get("signature") not in (None, False, 0, "")
                                  and accepts(given["verifier"], receipt)):
        return "signature"
    files = named(given["files"])
    if files["journal.ndjson"] is None:
        return "journal_present"
    code, _, entries, metadata = capsule(files)
    if code != "ok":
        return "metadata" if code.startswith("metadata") else "journal_integrity"
    if len(entries) < receipt["entry_count"]:
        return "truncation"
    root = [ZEROS, *(entry["entry_hash"] for entry in entries)][int(receipt["entry_count"])]
    if root != receipt["capsule_root"]:
        return "capsule_root"
    if len(entries) > receipt["entry_count"]:
        return "stale_checkpoint"
    journal_sha256 = hashlib.sha256(files["journal.ndjson"]).hexdigest()
    if journal_sha256 != receipt["journal_sha256"]:
        return "journal_integrity"
    wanted = projection(entries, metadata, journal_sha256)
    if document(files["projection.json"]) != wanted or wanted["projection_hash"] != receipt["projection_hash"]:
        return "projection"
    if given["artifact"]:
        data = None if "symlink" in given["artifact"] else bytes_of(given["artifact"])
        found = hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else None
        return None if found is not None and found == receipt["artifact_digest"] else "artifact"
    if given["artifact_digest"] and given["artifact_digest"] != receipt["artifact_digest"]:
        return "artifact"
    return None


def accepts(verifier, receipt):
    if verifier["kind"] == "constant":
        return bool(verifier["result"])
    return receipt["signature"] == verifier["prefix"] + receipt["receipt_hash"]


def encode(given):
    try:
        text = canonical(parse(given["value_json"]))
    except TooDeep:
        return {"ok": False}
    data = text.encode()
    return {"ok": True, "text": text, "byte_length": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def group(given):
    def refuse(code, index):
        return {"ok": False, "code": f"retrospective.{code}", "input_index": index}

    by_name = {one["name"]: one["files"] for one in given["capsules"]}
    inputs = given["inputs_raw"] if "inputs_raw" in given else [
        one if isinstance(one, str) else "?" if one.get("missing") else one["raw"] for one in given["inputs"]]
    if not isinstance(inputs, list) or not 1 <= len(inputs) <= 100 or not all(
            isinstance(one, str) and one.strip(" \t\n\u3000\ufeff") and "\0" not in one for one in inputs):
        return refuse("invalid_inputs", None)
    found = []
    for index, name in enumerate(inputs):
        code, _, entries, metadata = capsule(named(by_name.get(name, [])))
        if code != "ok":
            return refuse("invalid_capsule", index)
        data = named(by_name[name])["journal.ndjson"]
        found.append(projection(entries, metadata, hashlib.sha256(data).hexdigest()))
    seen = {}
    for index, one in enumerate(found):
        if one["task_family"] != found[0]["task_family"]:
            return refuse("mixed_task_families", index)
        if seen.setdefault((one["run_id"], one["capsule_id"]), one) != one:
            return refuse("conflicting_identity", index)
    groups = []
    for version in sorted({one["harness_version"] for one in seen.values()}, key=units):
        members = sorted((one for one in seen.values() if one["harness_version"] == version),
                         key=lambda one: units(canonical([one["run_id"], one["capsule_id"]])))
        add = lambda field, names: {name: sum(one[field][name] for one in members) for name in names}
        groups.append({
            "harness_version": version, "capsule_count": len(members),
            "entry_count": sum(one["entry_count"] for one in members),
            "by_lineage": add("by_lineage", LINEAGES), "by_effect_class": add("by_effect_class", CLASSES),
            "sources": [{"identity_hash": digest([one["run_id"], one["capsule_id"]])}
                        | {name: one[name] for name in ("entry_count", "root_hash", "journal_sha256", "projection_hash")}
                        for one in members]})
    report = {"schema": "capsule-retrospective/v1", "report_only": True, "task_family": found[0]["task_family"],
              "input_count": len(inputs), "capsule_count": len(seen),
              "duplicate_count": len(inputs) - len(seen), "groups": groups}
    return {"ok": True, "report": report | {"report_hash": digest(report)}}


def taskset(given):
    refused = {"ok": False, "code": "gate.taskset_invalid"}
    data = bytes_of(given["file"])
    if not isinstance(data, bytes):
        return {"ok": False}
    try:
        value = parse(data.decode(errors="replace"))
    except (Syntax, TooDeep):
        return refused
    if not isinstance(value, dict) or not value.get("version") or not value.get("family"):
        return refused
    tasks = value.get("tasks")
    if not isinstance(tasks, list) or not tasks or not are_tasks(tasks):
        return refused
    if any("input" not in task or "expected" not in task for task in tasks):
        return refused
    return {"ok": True, "digest": hashlib.sha256(data).hexdigest(), "version": value["version"],
            "family": value["family"], "task_ids": [task["id"] for task in tasks],
            "keys": [name for name in value if name not in ("path", "digest")] + ["path", "digest"]}


def are_tasks(tasks):
    ids = [task.get("id") if isinstance(task, dict) else None for task in tasks]
    return all(isinstance(one, str) and one for one in ids) and len(set(ids)) == len(ids)


def result(given):
    kind, outputs = child_of(given["child"], [task["id"] for task in given["tasks"]])
    return {"ok": kind is None, "kind": kind, "outputs": outputs}


def child_of(child, ids):
    if not isinstance(child, (dict, list)):
        return "missing", []
    child = child if isinstance(child, dict) else {}
    error = child.get("error")
    if error or error == {}:
        return "timeout" if isinstance(error, dict) and error.get("code") == "ETIMEDOUT" else "process_error", []
    if child.get("status") != 0 or isinstance(child.get("status"), bool) or child.get("signal"):
        return "unsuccessful_exit", []
    repeat = child.get("stdout_repeat", {"text": child.get("stdout") or "", "times": 1})
    output = repeat["text"] * repeat["times"] + child.get("stdout_suffix", "")
    if len(output.encode()) > 1048576:
        return "protocol", []
    try:
        value = parse(output.strip(" \t\r\n\u3000\ufeff").split("\n")[-1].strip("\r"))
    except (Syntax, TooDeep):
        return "protocol", []
    if not isinstance(value, dict):
        return "protocol", []
    if "fatal" in value:
        told = isinstance(value["fatal"], str) and value["fatal"] and "results" not in value
        return "reported" if told else "protocol", []
    rows = value.get("results")
    if not isinstance(rows, list) or not all(isinstance(row, dict) and ("output" in row) != ("error" in row) for row in rows):
        return "protocol", []
    typed = lambda values: sorted(repr(float(one) if isinstance(one, int) else one) for one in values)
    found = [row.get("id") for row in rows]
    if len({*typed(ids)}) != len(ids) or typed(found) != typed(ids):
        return "protocol", []
    return None, [[row["id"], row] for row in rows]


def baseline(given):
    kind = baseline_fault(given["run"], given["tasks"])
    return {"ok": kind is None, "kind": kind}


def baseline_fault(run, tasks):
    if not isinstance(tasks, list) or not tasks or not are_tasks(tasks) or not run:
        return "run_or_tasks"
    exit_code = run["exit_code"]
    if run["fatal"] or exit_code != 0 or isinstance(exit_code, bool) or run["marker_intact"] is not True or run["fence_events"] != []:
        return "run_or_tasks"
    rows = json.loads(run["outputs_json"]) if "outputs_json" in run else run.get("outputs")
    if rows is None or len(rows) != len(tasks):
        return "run_or_tasks"
    rows = dict(map(tuple, rows))
    for task in tasks:
        row = rows.get(task["id"])
        if not isinstance(row, dict) or row.get("id") != task["id"] or "output" not in row or "error" in row:
            return "row"
    return None


SUITES = {
    "journals": verify_journal,
    "precedence": verify_journal,
    "limits-journal": verify_journal,
    "limits-metadata": verify,
    "limits-receipt": check,
    "file-types": verify,
    "receipt-files": check,
    "signatures": check,
    "limits-canonical": encode,
    "retrospective": group,
    "retrospective-order": group,
    "gate-tasksets": taskset,
    "limits-taskset": taskset,
    "gate-results": result,
    "gate-results-order": result,
    "gate-baselines": baseline,
    "gate-baselines-order": baseline,
}


def holds(expected, found, unordered=(), name=None):
    """Is every expected member there? That is how outputs are compared, but for `exact`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return all(key in found and holds(value, found[key], unordered, key) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        pairs = (sorted(expected, key=canonical), sorted(found, key=canonical)) if name in unordered else (expected, found)
        return len(expected) == len(found) and all(holds(*pair, unordered) for pair in zip(*pairs))
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def main():
    sys.setrecursionlimit(20_000)
    sys.dont_write_bytecode = True
    import recording  # which imports this file, so that it cannot stand at the top

    failed = False
    suites = {f"capsule/{name}": answer for name, answer in SUITES.items()}
    for name, answer in (suites | recording.SUITES).items():
        suite = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        unordered = suite.get("compare", {}).get("unordered", [])
        wrong = []
        for case in suite["cases"]:
            found = answer(suite.get("shared", {}) | case["input"])
            if not holds(case["expect"], found, unordered):
                wrong.append(f"  {case['id']} ({case['note']}): expected {case['expect']}, found {found}"[:300])
        print(f"{name}: {len(suite['cases']) - len(wrong)}/{len(suite['cases'])}", *wrong, sep="\n")
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
