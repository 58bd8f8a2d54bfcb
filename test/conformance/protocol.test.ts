import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  answer,
  openMemoryWorkspace,
  readAnswer,
  runSuite,
  serve,
  splitLines,
} from "../../src/conformance/mod.ts";
import type { Answer, Host, Suite } from "../../src/conformance/mod.ts";
import { decodeTagged } from "../../src/conformance/tagged.ts";
import { loadSha256 } from "../../src/hash/mod.ts";

const host: Host = { sha256: await loadSha256(), openWorkspace: openMemoryWorkspace };
const encoder = new TextEncoder();

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  await Promise.resolve();
}

async function answers(requests: string | Uint8Array, size = 1 << 20): Promise<unknown[]> {
  const bytes = typeof requests === "string" ? encoder.encode(requests) : requests;
  const lines: unknown[] = [];
  for await (const line of serve(inPieces(bytes, size), host)) {
    assert.ok(line.endsWith("\n") && line.indexOf("\n") === line.length - 1, "one line, one LF");
    lines.push(JSON.parse(line));
  }
  return lines;
}

const encode = (id: unknown, value_json: string): string =>
  JSON.stringify({ id, op: "canonical.encode", input: { profile: "capsule", value_json } });
const text = async (request: string): Promise<unknown> => {
  const [only] = await answers(request) as { output: { text: unknown } }[];
  return only?.output.text;
};

const protocol = suite("serve()");

protocol("answers every request under its id, however its bytes are cut", async () => {
  const requests = [1, "two", null, { three: 3 }].map((id) => `${encode(id, "1")}\n`).join("");
  const output = {
    ok: true,
    text: "1",
    sha256: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
    byte_length: 1,
  };
  const wanted = [1, "two", null, { three: 3 }].map((id) => ({ id, output }));
  for (const size of [1, 7, 4096]) assert.equal(await answers(requests, size), wanted);
});

protocol("answers the last request though its line feed is missing", async () => {
  const ids = (await answers(`${encode(1, "1")}\n${encode(2, "2")}`)).map((one) =>
    (one as { id: unknown }).id
  );
  assert.equal(ids, [1, 2]);
});

protocol("splits on LF alone, and keeps U+2028 and unpaired surrogates", async () => {
  assert.is(await text(encode(1, '"\u2028\u2029\u0085"')), '"\u2028\u2029\u0085"');
  assert.is(await text(encode(1, '"\ud800"')), '"\\ud800"');
  const [only] = await answers(JSON.stringify({
    id: 1,
    op: "capsule.filter_payload",
    input: { payload_tagged: { t: "object", entries: [["\ud800", { t: "nan" }]] } },
  }));
  const output = { kept_json: "{}", dropped: ["\ud800"], findings: [], errors: [] };
  assert.equal(only, { id: 1, output });
});

protocol("says of an operation or a profile that it is not supported", async () => {
  const profile = { profile: "another", value_json: "1" };
  const requests = [
    { id: 1, op: "no.such", input: {} },
    { id: 2, op: "toString", input: {} },
    { id: 3, op: "canonical.encode", input: profile },
  ].map((request) => JSON.stringify(request)).join("\n");
  assert.equal(await answers(requests), [1, 2, 3].map((id) => ({ id, unsupported: true })));
});

protocol("goes on after lines that are no requests", async () => {
  const bad = [`nonsense`, `[1]`, `{"op":"x"}`, `"x"`, `{"id":1`, ``, `  `];
  const bytes = encoder.encode(`${bad.join("\n")}\n@\n${encode(9, "9")}\n`);
  bytes[bytes.indexOf(0x40)] = 0xff;
  const refused = (why: string): unknown => ({ id: null, error: `Reading a request: ${why}` });
  const notJson = refused("the line is not JSON");
  const noId = refused('the line is no object with an "id"');
  const all = await answers(bytes);
  const utf8 = refused("the line is not valid UTF-8");
  assert.equal(all.slice(0, -1), [notJson, noId, noId, noId, notJson, utf8]);
  assert.is((all.at(-1) as { id: unknown }).id, 9);
});

protocol("answers an input without the members it needs with an error that names one", async () => {
  const asked: [string, unknown, string][] = [
    ["canonical.encode", {}, '"value_json" must be text'],
    ["capsule.verify", { files: {} }, '"files" must be a list'],
    ["capsule.verify", { files: [1] }, '"files" must be a list of objects'],
    [
      "capsule.verify",
      { files: [{ path: "../x", utf8: "" }] },
      '"path" must be relative, without empty, . and .. parts',
    ],
    [
      "capsule.verify",
      { files: [{ path: "/x", utf8: "" }] },
      '"path" must be relative, without empty, . and .. parts',
    ],
    [
      "capsule.verify",
      { files: [{ path: "x" }] },
      '"content" must be one of utf8, base64, absent, dir, symlink, hardlink, fifo, sparse',
    ],
    [
      "capsule.verify",
      { files: [{ path: "x", base64: "AB==" }] },
      '"base64" must be standard base64 with padding',
    ],
    [
      "capsule.verify",
      { files: [{ path: "x", dir: true, mode: "rwx" }] },
      '"mode" must be octal digits',
    ],
    [
      "capsule.verify",
      { files: [{ path: "x", utf8: "" }, { path: "x/y", utf8: "" }] },
      '"path" must be below a directory',
    ],
    ["canonical.encode_value", { value_tagged: { t: "other" } }, '"t" must be a known tag'],
    ["gate.refuse", { function: "run" }, '"function" must be the name of an execution entry'],
  ];
  for (const [op, input, why] of asked) {
    const error = `Answering ${op}: InputError: Reading the input: ${why}`;
    assert.equal(await answer(op, input, host), { error }, why);
  }
  assert.equal(await answer("gate.refuse", [], host), {
    error: 'Reading a request: "input" must be an object',
  });
  assert.equal(await answer(1, {}, host), { error: 'Reading a request: "op" must be text' });
});

protocol("steps of a writer touch nothing outside their directory", async () => {
  const metadata = { run_id: "r", capsule_id: "c" };
  for (
    const step of [{ op: "remove", file: "../x" }, {
      op: "replace",
      file: "/x",
      from: "a",
      to: "b",
    }]
  ) {
    const clock = "2026-09-02T00:00:00.000Z";
    const input = { clock, existing: [], create: metadata, plant: [], steps: [step] };
    const { error } = await answer("capsule.write", input, host) as { error: string };
    assert.match(error, /^Answering capsule.write: InputError: Reading the input: "path" must be/);
  }
});

protocol("a request that is nested too deep is refused, and the next one answered", async () => {
  const deep = `{"id":${"[".repeat(100_000)}${"]".repeat(100_000)},"op":"x"}\n`;
  assert.equal(await answers(`${deep}{"id":2,"op":"x"}\n`), [
    { id: null, error: "Reading a request: the line is nested too deep" },
    { id: 2, unsupported: true },
  ]);
  assert.equal(readAnswer({ id: 1, error: { toString: 1 } }), { error: '{"toString":1}' });
});

protocol.run();

const lines = suite("splitLines()");

async function split(value: string, size: number, maxBytes?: number): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for await (const line of splitLines(inPieces(encoder.encode(value), size), maxBytes)) {
    found.push(line === null ? null : new TextDecoder().decode(line));
  }
  return found;
}

lines("gives every line and an unterminated rest, however the bytes are cut", async () => {
  for (const size of [1, 2, 3, 100]) {
    assert.equal(await split("a\n\nbc\r\nd", size), ["a", "", "bc\r", "d"]);
    assert.equal(await split("a\n", size), ["a"]);
    assert.equal(await split("", size), []);
  }
});

lines("gives null for a line that is too long, and goes on", async () => {
  for (const size of [1, 2, 100]) {
    assert.equal(await split("abc\nabcd\nab\nabcdefgh", size, 3), ["abc", null, "ab", null]);
  }
});

lines.run();

const reading = suite("readAnswer() and runSuite()");

reading("reads the three kinds of answers and refuses others", () => {
  assert.equal(readAnswer({ id: 1, output: { ok: true } }), { output: { ok: true } });
  assert.equal(readAnswer({ id: 1, unsupported: true }), { unsupported: true });
  assert.equal(readAnswer({ id: 1, error: "why" }), { error: "why" });
  const error = "The answer has neither output nor unsupported nor error";
  for (const bad of [{}, { output: [] }, { output: null }, { unsupported: 1 }]) {
    assert.equal(readAnswer(bad), { error });
  }
});

reading("keeps the order of cases when answers come in another, within the window", async () => {
  const ids = ["a", "b", "c", "d", "e"];
  const numbers: Suite = {
    suite: "s/t",
    op: "o",
    compare: {},
    cases: ids.map((id) => {
      return { id, note: "", tags: [], input: { id }, expectations: [{ id }], may_refuse: false };
    }),
  };
  const waiting: (() => void)[] = [];
  let most = 0;
  const ask = (_op: string, input: unknown): Promise<Answer> => {
    const asked = new Promise<Answer>((resolve) => {
      waiting.unshift(() =>
        resolve(
          input === numbers.cases[3]?.input ? { error: "no" } : {
            output: input as Record<string, unknown>,
          },
        )
      );
    });
    most = Math.max(most, waiting.length);
    if (waiting.length === 3 || most === 3) { for (const done of waiting.splice(0)) done(); }
    return asked;
  };
  const progress: number[] = [];
  const onProgress = (done: number): void => void progress.push(done);
  const report = await runSuite(numbers, ask, { window: 3, onProgress });
  const passed = { note: "", status: "passed" as const, differences: [] };
  assert.equal(report, {
    suite: "s/t",
    op: "o",
    passed: 4,
    failed: 1,
    unsupported: 0,
    cases: ids.map((id) =>
      id === "d" ? { id, ...passed, status: "failed", error: "no" } : { id, ...passed }
    ),
  });
  assert.equal([most, progress], [3, [1, 2, 3, 4, 5]]);
});

reading.run();

const tagged = suite("decodeTagged()");

tagged("makes the values that no bundled case holds", () => {
  assert.equal(decodeTagged({ t: "set" }), new Set([1]));
  assert.equal(decodeTagged({ t: "map" }), new Map([["a", 1]]));
  assert.equal(String(decodeTagged({ t: "regexp" })), "/x/");
  assert.equal(decodeTagged({ t: "bytes", v: "00ff" }), new Uint8Array([0, 255]));
  assert.ok(Object.is(decodeTagged({ t: "-0" }), -0));
});

tagged("takes __proto__ for a name like any other", () => {
  const entries = [["__proto__", { t: "json", text: "1" }]];
  const value = decodeTagged({ t: "object", entries }) as object;
  assert.equal(Object.keys(value), ["__proto__"]);
  assert.is(Object.getPrototypeOf(value), Object.prototype);
});

tagged.run();
