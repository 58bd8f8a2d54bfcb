import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadSha256 } from "../../src/hash/mod.ts";
import { hashCall, listFixtures, storeFixture, verifyFixtures } from "../../src/replay/mod.ts";
import { hashText, makeStore, recordAll, textOf } from "./kit.ts";

const sha256 = await loadSha256();
const catalogue = suite("a store as a whole");
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const fileOf = (tool: string, args: unknown): string => `${hashCall(tool, args, sha256).key}.json`;

catalogue(
  "listFixtures() sorts by tool and arguments, refused ones last, and passes strangers over",
  async () => {
    const { directory, store } = makeStore();
    await recordAll([{ n: 1 }], { store, sha256, recordArguments: true });
    await storeFixture(store, hashCall("note", {}, sha256), "x", sha256);
    const bad = `${"0".repeat(64)}.json`;
    directory.plant(bad, encode("{"));
    for (const name of ["README.md", "0.json", `.${bad}.00.tmp`]) {
      directory.plant(name, encode("{}"));
    }
    assert.equal(await listFixtures(store, sha256), [
      {
        file: fileOf("note", {}),
        code: null,
        reason: null,
        tool: "note",
        args_hash: hashText("{}", sha256) as never,
        response_hash: hashText('"x"', sha256) as never,
        has_arguments: false,
      },
      {
        file: fileOf("read", { n: 1 }),
        code: null,
        reason: null,
        tool: "read",
        args_hash: hashText('{"n":1}', sha256) as never,
        response_hash: hashText('{"n":1}', sha256) as never,
        has_arguments: true,
      },
      {
        file: bad,
        code: "tool.fixture_corrupt",
        reason: "Reading a fixture: it is not JSON",
        tool: null,
        args_hash: null,
        response_hash: null,
        has_arguments: false,
      },
    ]);
  },
);

catalogue("verifyFixtures() holds for what a recorder wrote, and for nothing at all", async () => {
  const { store } = makeStore();
  assert.equal(await verifyFixtures(store, sha256), { ok: true, fixture_count: 0, files: [] });
  await recordAll([1, 2], { store, sha256, recordArguments: true });
  const verdict = await verifyFixtures(store, sha256);
  assert.equal([verdict.ok, verdict.fixture_count, verdict.files.length], [true, 2, 4]);
  assert.ok(verdict.files.every(({ ok, remark }) => ok && remark === null));
});

const file = fileOf("read", 1);
const args = file.replace(".json", ".args.json");
const secret = `AKIA${"A".repeat(16)}`;

const changes: [what: string, name: string, change: (text: string) => string, ends: unknown][] = [
  [
    "a fixture whose response was edited",
    file,
    (text) => text.replace('"response":1', '"response":2'),
    ["tool.fixture_mismatch", "Reading a fixture: the response has another hash", null],
  ],
  [
    "a fixture whose key was edited",
    file,
    (text) => text.replace('"key":"', '"key":"0'),
    [null, null, '"key" is not the name of the file'],
  ],
  [
    "a fixture that was formatted",
    file,
    (text) => JSON.stringify(JSON.parse(text), null, 2),
    [null, null, "it is spelled otherwise, or has further members"],
  ],
  [
    "arguments of another fixture",
    args,
    (text) => text.replace(/"args":1/, '"args":2'),
    [
      "tool.arguments_invalid",
      "Reading the arguments of a fixture: the arguments have another hash",
      null,
    ],
  ],
  [
    "arguments that say they are of another tool, with something withheld",
    args,
    (text) => text.replace('"read"', '"note"').replace("[]", '[""]'),
    [
      "tool.arguments_invalid",
      "Reading the arguments of a fixture: they are of another call than the fixture",
      null,
    ],
  ],
];

for (
  const [what, name, change, [code, reason, remark]] of changes as [
    string,
    string,
    (text: string) => string,
    [string | null, string | null, string | null],
  ][]
) {
  catalogue(`verifyFixtures() tells of ${what}`, async () => {
    const { directory, store } = makeStore();
    await recordAll([1], { store, sha256, recordArguments: true });
    directory.plant(name, encode(change(textOf(directory, name))));
    const verdict = await verifyFixtures(store, sha256);
    assert.is(verdict.ok, code === null);
    const found = verdict.files.filter((one) => one.file === name);
    assert.equal(found, [{ file: name, ok: code === null, code, reason, remark }] as never);
  });
}

catalogue("verifyFixtures() remarks on arguments that it cannot check", async () => {
  const { directory, store } = makeStore();
  await recordAll([secret], { store, sha256, recordArguments: true });
  const verdict = await verifyFixtures(store, sha256);
  assert.is(verdict.ok, true);
  const remarks = verdict.files.map(({ remark }) => remark).filter((remark) => remark !== null);
  const withheld = "something was withheld, so that the hash of the arguments was not checked";
  assert.equal(remarks, [withheld]);
  await directory.remove(fileOf("read", secret));
  const alone = await verifyFixtures(store, sha256);
  assert.equal(alone.files.map(({ remark }) => remark), ["there is no sound fixture beside it"]);
});

catalogue.run();
