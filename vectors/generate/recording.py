"""A second reading of the rules of recording, in Python and apart from the library: policies of effects, recorded answers,
and serving them. Messages of refusals are left out. check.py holds the suites against it.
"""

import json
import re

from check import CLASSES, HASH, Syntax, TooDeep, bytes_of, canonical, digest, parse, units

NAME = re.compile(r"([0-9a-f]{64})\.(0|[1-9][0-9]*)\.answer\.json\Z")
REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]
ABSENT = object()


class Repeated(Exception):
    """A member of an object that has one of that name; says where."""


def parse_once(data):
    """JSON in UTF-8 without repeated members. The pointer of a repeated one is found by reading inwards from the top."""
    text = data.decode()
    if text.startswith("\ufeff"):
        raise Syntax
    value = parse(text)
    where = repeated(json.loads(text, object_pairs_hook=Pairs), "")
    if where is not None:
        raise Repeated(where)
    return value


class Pairs(list):
    """The members of an object, repeated ones too."""


def repeated(value, pointer):
    """Where the first member stands, in the order of the text, whose name stood in its object before."""
    seen = set()
    for name, inner in value if isinstance(value, Pairs) else enumerate(value) if isinstance(value, list) else []:
        there = f"{pointer}/{escape(str(name))}"
        if name in seen:
            return there
        seen.add(name)
        if (found := repeated(inner, there)) is not None:
            return found
    return None


def escape(name):
    return name.replace("~", "~0").replace("/", "~1")


# ---- policies ----

def read_policy(given):
    refused = {"ok": False, "code": "recording.policy_invalid"}
    data = bytes_of(given["policy"])
    if data.startswith(b"\xef\xbb\xbf"):
        return refused | {"byte": 0}
    try:
        value = parse_once(data)
    except UnicodeDecodeError as error:
        return refused | {"byte": error.start}
    except (Syntax, TooDeep):
        return refused
    except Repeated as error:
        return refused | {"pointer": error.args[0]}
    pointer = policy_fault(value)
    if pointer is not None:
        return refused | {"pointer": pointer}
    return {"ok": True, "max_effect": value.get("max_effect"), "deny": value.get("deny", []),
            "tools": [{"name": tool["name"]} | class_of(value["tools"], tool, given.get("trust_annotations", False))
                      for tool in given["tools"]]}


def policy_fault(value):
    if not isinstance(value, dict):
        return ""
    for name in value:
        if name not in ("schema", "tools", "max_effect", "deny"):
            return f"/{escape(name)}"
    if value.get("schema") != "effect-policy/v1":
        return "/schema"
    if not isinstance(value.get("tools"), dict):
        return "/tools"
    for name, effect in value["tools"].items():
        if not is_class(effect):
            return f"/tools/{escape(name)}"
    if not is_class(value.get("max_effect", "SE0")):
        return "/max_effect"
    deny = value.get("deny", [])
    if not isinstance(deny, list):
        return "/deny"
    for index, name in enumerate(deny):
        if not isinstance(name, str):
            return f"/deny/{index}"
    return None


def is_class(value):
    return isinstance(value, str) and value in CLASSES


def class_of(tools, tool, trusted):
    if tool["name"] in tools:
        return {"effect_class": tools[tool["name"]], "source": "policy"}
    hints = tool.get("annotations")
    if not trusted or not isinstance(hints, dict):
        return {"effect_class": "SE4", "source": "default"}

    def hint(name, absent):
        return hints[name] if isinstance(hints.get(name), bool) else absent

    is_open = hint("openWorldHint", True)
    if hint("readOnlyHint", False):
        effect = "SE1" if is_open else "SE0"
    elif hint("destructiveHint", True):
        effect = "SE4"
    else:
        effect = "SE3" if is_open else "SE2"
    return {"effect_class": effect, "source": "annotations"}


# ---- recorded answers ----

def read_answer(given):
    code, value = answer_of(given["name"], given["file"])
    if code == "ok":
        return {"ok": True, "answer": value}
    return {"ok": False, "code": code and f"tool.fixture_{code}"}


def answer_of(path, content):
    """`ok` and the members; or the end of a code; or nothing when the name is none of an answer."""
    name = NAME.match(path)
    if name is None:
        return None, None
    data = bytes_of(content)
    try:
        value = parse(data.decode()) if isinstance(data, bytes) else None
    except (Syntax, TooDeep, UnicodeDecodeError):
        return "corrupt", None
    if not isinstance(value, dict) or not has_shape(value):
        return "corrupt", None
    members = {"schema", "method", "tool", "args_hash", "key", "effect_class", "effect_source", "occurrence", "outcome",
               "text", "response_hash", "answer_hash"}
    fits = (value.get("key") == name[1] and value.get("occurrence") == float(name[2])
            and value.get("response_hash") == digest(parse(value["text"])) and set(value) == members
            and value["answer_hash"] == digest({k: v for k, v in value.items() if k != "answer_hash"})
            and data == f"{canonical(value)}\n".encode())
    return ("ok", value) if fits else ("mismatch", None)


def has_shape(value):
    of_call = [value.get(name, ABSENT) for name in ("tool", "args_hash", "effect_class", "effect_source")]
    tool, args_hash, effect, source = of_call
    if value.get("schema") != "recorded-answer/v1":
        return False
    if value.get("method") == "tools/call":
        if not (isinstance(tool, str) and isinstance(args_hash, str) and HASH.match(args_hash) and is_class(effect)
                and source in ("policy", "annotations", "default")):
            return False
    elif value.get("method") not in ("tools/list", "initialize") or of_call != [None] * 4:
        return False
    text = value.get("text")
    if not isinstance(text, str) or "\n" in text:
        return False
    try:
        response = parse(text)
    except (Syntax, TooDeep):
        return False
    if not isinstance(response, dict):
        return False
    if value.get("outcome") == "error":
        return is_whole(response.get("code")) and isinstance(response.get("message"), str)
    return value.get("outcome") == "result"


def is_whole(value):
    return isinstance(value, float) and value.is_integer()


# ---- serving them ----

class Refused(Exception):
    """Why a request is refused: the code of JSON-RPC and, where there is one, ours."""


class Server:
    def __init__(self, files, ceiling):
        self.ceiling, self.batches, self.served, self.refused = ceiling, False, 0, {}
        self.answers = {}  # by key: pairs of number and verdict, in the order of the numbers
        for file in files:
            if name := NAME.match(file["path"]):
                self.answers.setdefault(name[1], []).append((int(name[2]), answer_of(file["path"], file)))
        for found in self.answers.values():
            found.sort(key=lambda one: one[0])
        self.given = dict.fromkeys(self.answers, 0)

    def report(self):
        unused = []
        for key, found in self.answers.items():
            for number, (_, value) in found[self.given[key]:]:
                value = value or {"method": "tools/call", "tool": None, "args_hash": None}
                if value["method"] == "tools/call":
                    unused.append({"tool": value["tool"], "args_hash": value["args_hash"], "occurrence": number})
        refused = [{"tool": tool, "code": code, "count": count} for (tool, code), count in self.refused.items()]
        return {"served": self.served, "refused": refused, "unused": unused}

    def line(self, data):
        """The lines that answer a line: the text where it is known to the byte, and what it means."""
        if data == b"":
            return []
        try:
            if b"\r" in data:
                raise Syntax
            value = parse_once(data)
        except (Syntax, TooDeep, UnicodeDecodeError, Repeated):
            return [both(fault(None, -32700))]
        if not isinstance(value, list):
            reply = self.message(value)
            return [] if reply is None else [both(reply)]
        if not self.batches or value == []:
            return [both(fault(None, -32600))]
        replies = [reply for one in value if (reply := self.message(one)) is not None]
        return [] if replies == [] else [{"text": f"[{','.join(text for text, _ in replies)}]",
                                          "message": [message for _, message in replies]}]

    def message(self, value):
        kind = kind_of(value)
        if kind == "malformed":
            return fault(None, -32600)
        if kind != "request":
            return None
        method, params = value["method"], value.get("params", {})
        try:
            outcome, text = self.serve(method, params)
            return text_of(value["id"], outcome, text)
        except Refused as error:
            rpc, code = error.args
            if code is None:
                return fault(value["id"], rpc)
            pair = (params["name"] if method == "tools/call" else method, code)
            self.refused[pair] = self.refused.get(pair, 0) + 1
            return fault(value["id"], rpc, code)

    def serve(self, method, params):
        if method == "initialize":
            return "result", json.dumps(self.initialize(params.get("protocolVersion")))
        if method == "ping":
            return "result", "{}"
        if method == "tools/list":
            return "result", self.tools(params)
        if method == "tools/call":
            return self.call(params)
        raise Refused(-32601, None)

    def initialize(self, asked):
        first = session = None
        for _, verdict in self.answers.get(key_of("initialize", {}), []):
            one = parse(take(verdict)["text"])
            first = first or one
            if one.get("protocolVersion") == asked:
                session = one
                break
        known = asked in REVISIONS or (session is not None and isinstance(asked, str))
        session = session or first or {}
        revision = asked if known else REVISIONS[0]
        self.batches = revision == "2025-03-26"
        kept = {name: session[name] for name in ("serverInfo", "instructions") if name in session}
        return {"protocolVersion": revision, "capabilities": {"tools": {}}} | kept

    def tools(self, params):
        key = key_of("tools/list", {name: value for name, value in params.items() if name != "_meta"})
        found = self.answers.get(key, [])
        if found:
            _, verdict = found[min(self.given[key], len(found) - 1)]
            self.given[key] += 1
            return take(verdict)["text"]
        if "cursor" in params:
            raise Refused(-32602, None)
        values = [value for found in self.answers.values() for _, (_, value) in found]
        names = {value["tool"] for value in values if value is not None} - {None}
        return json.dumps({"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in sorted(names, key=units)]})

    def call(self, params):
        tool, args = params.get("name"), params.get("arguments", {})
        if not isinstance(tool, str) or not isinstance(args, dict) or "task" in params:
            raise Refused(-32602, None)
        key = digest({"tool": tool, "args": args})
        found = self.answers.get(key)
        if found is None:
            raise Refused(-32000, "tool.fixture_missing")
        if self.given[key] == len(found):
            raise Refused(-32000, "tool.fixture_exhausted")
        _, verdict = found[self.given[key]]
        self.given[key] += 1
        answer = take(verdict)
        if answer["tool"] != tool or answer["args_hash"] != digest(args):
            raise Refused(-32000, "tool.fixture_mismatch")
        if answer["effect_class"] > min(self.ceiling, "SE2"):
            self.given[key] -= 1
            raise Refused(-32000, "tool.effect_forbidden")
        self.served += 1
        return answer["outcome"], answer["text"]


def take(verdict):
    code, value = verdict
    if code != "ok":
        raise Refused(-32000, f"tool.fixture_{code}")
    return value


def key_of(method, params):
    return digest({"method": method, "params": params})


def kind_of(value):
    """What a message of a client is, read so that nobody reads another one out of it."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return "malformed"
    names = ["jsonrpc", "id", "method", "params", "result", "error"]
    if any(name.lower() in names and name not in names for name in value):
        return "malformed"
    if "result" in value or "error" in value:
        if "method" in value or ("result" in value and "error" in value):
            return "malformed"
        return "answer" if is_id(value.get("id", 0.0 if "error" in value else None)) else "malformed"
    params = value.get("params", {})
    if not isinstance(value.get("method"), str) or value["method"] == "" or not isinstance(params, dict):
        return "malformed"
    if "id" not in value:
        return "notification"
    if not is_id(value["id"]):
        return "malformed"
    if value["method"] == "tools/call":
        names = ["name", "arguments", "task"]
        if any(name.lower() in names and name not in names for name in params):
            return "malformed"
    return "request"


def is_id(value):
    return isinstance(value, str) or (is_whole(value) and abs(value) < 2**53)


def text_of(identity, outcome, text):
    text = f'{{"jsonrpc":"2.0","id":{canonical(identity)},"{outcome}":{text}}}'
    return text, parse(text)


def fault(identity, rpc, code=None):
    error = {"code": rpc} | ({"data": {"code": code}} if code else {})
    return "", {"jsonrpc": "2.0", "id": identity, "error": error}


def both(reply):
    return {"text": reply[0], "message": reply[1]}


def replay(given):
    server = Server(given["store"], given["max_effect"])
    return {"answers": [server.line(bytes_of(line)) for line in given["lines"]], "report": server.report()}


SUITES = {
    "recording/policies": read_policy,
    "recording/answers": read_answer,
    "recording/replay": replay,
}
