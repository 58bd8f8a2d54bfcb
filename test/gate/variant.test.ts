import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestTree, inspectVariant } from "../../src/gate/mod.ts";
import { loadSha256 } from "../../src/hash/mod.ts";
import type { ListedNode } from "../../src/ports/mod.ts";
import { file, manifest, node } from "./files.ts";

const variants = suite("inspectVariant()");
const sha256 = await loadSha256();

variants("gives what the manifest declares, the digest and the files in walk order", () => {
  const [run, declared] = [file("run.js"), manifest({ note: "free" })];
  const digest = digestTree([run, declared], sha256);
  assert.equal(inspectVariant([declared, run], sha256), {
    ok: true,
    value: {
      name: "v",
      effect_class: "SE0",
      entry: "run.js",
      digest: digest.ok && digest.value,
      files: [run, declared],
    },
  });
});

function refusalOf(nodes: ListedNode[], maxManifestBytes?: number): unknown {
  const options = maxManifestBytes === undefined ? {} : { maxManifestBytes };
  const found = inspectVariant(nodes, sha256, options);
  return found.ok || `${found.code}: ${found.reason.split(": ")[1]}`;
}

const run = file("run.js");
const size = (manifest() as Extract<ListedNode, { kind: "file" }>).bytes.length;

/** Each fault beside all that come after it in the order of the rule. */
const faults: [nodes: ListedNode[], refusal: string][] = [
  [[node("l", "link")], "gate.variant_missing: there is no variant.json"],
  [[node("variant.json", "link")], "gate.variant_invalid: it is no regular file"],
  [[node("variant.json", "directory")], "gate.variant_invalid: it is no regular file"],
  [[file("variant.json/x")], "gate.variant_invalid: it is no regular file"],
  [[file("variant.json", "{"), node("l", "link")], "gate.variant_invalid: it is not JSON"],
  [[file("variant.json", "[".repeat(1001))], "gate.variant_invalid: it is too deep"],
  [[file("variant.json", "null")], "gate.variant_invalid: it is no object"],
  [
    [manifest({ name: "a.b", effect_class: "SE9", entry: "" }), node("l", "link")],
    'gate.variant_invalid: its "name" is not 1 to 64 letters, digits, "_" and "-"',
  ],
  [
    [manifest({ effect_class: "SE9", entry: "" }), node("l", "link")],
    'gate.variant_invalid: its "effect_class" is none of SE0 to SE4',
  ],
  [
    [manifest({ entry: "../run.js" }), node("l", "link")],
    'gate.variant_invalid: its "entry" is no path within the tree',
  ],
  [
    [manifest({ entry: "nothing" }), node("l", "link")],
    'gate.variant_invalid: "l" is a symbolic link',
  ],
  [[manifest({ entry: "nothing" })], 'gate.variant_invalid: its "entry" is no file of the tree'],
];

variants("names the first fault in the order of the rule", () => {
  for (const [nodes, refusal] of faults) assert.is(refusalOf(nodes), refusal);
});

variants("refuses a manifest over the bound before it is read as JSON", () => {
  assert.is(refusalOf([manifest(), run], size), true);
  assert.is(
    refusalOf([file("variant.json", "{{{"), run], 2),
    "gate.variant_invalid: it is larger than 2 bytes",
  );
});

variants("takes only entries that are a file of the tree under a spelling of POSIX", () => {
  const files = [run, file("lib/x.js"), file("C:x"), file("node_modules/x.js"), file("...")];
  const entries: [unknown, string | null][] = [
    ["run.js", "run.js"],
    [undefined, "run.js"],
    ["./run.js", "run.js"],
    [".//.///lib//./x.js", "lib/x.js"],
    ["lib/x.js/.", "lib/x.js"],
    ["C:x", "C:x"],
    ["...", "..."],
    ["lib/x.js/", null],
    ["lib", null],
    [".", null],
    ["./", null],
    ["", null],
    [null, null],
    [["run.js"], null],
    ["/run.js", null],
    ["C:/x", null],
    ["c:/run.js", null],
    ["lib\\x.js", null],
    ["lib/../run.js", null],
    ["..", null],
    ["run.js\0", null],
    ["node_modules/x.js", null],
    ["RUN.js", null],
  ];
  for (const [entry, wanted] of entries) {
    const found = inspectVariant([manifest({ entry }), ...files], sha256);
    assert.is(found.ok ? found.value.entry : null, wanted, JSON.stringify(entry));
  }
});

variants.run();
