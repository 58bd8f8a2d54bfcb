import { suite } from "uvu";
import * as assert from "uvu/assert";
import { classOf, readPolicy } from "../../src/recording/mod.ts";
import { lineOf, policyOf } from "./kit.ts";

const reading = suite("readPolicy()");
const START = "Reading a policy of effects: ";

reading("gives tools, ceiling and denied tools", () => {
  const policy = readPolicy(lineOf({
    schema: "effect-policy/v1",
    tools: { echo: "SE0", pay: "SE4" },
    max_effect: "SE2",
    deny: ["echo", "nobody"],
  }));
  assert.equal(policy, {
    ok: true,
    value: {
      tools: new Map([["echo", "SE0"], ["pay", "SE4"]]),
      max_effect: "SE2",
      deny: new Set(["echo", "nobody"]),
    },
  });
});

reading("has no ceiling and denies nothing unless it says so", () => {
  assert.equal(readPolicy(lineOf({ schema: "effect-policy/v1", tools: {} })), {
    ok: true,
    value: { tools: new Map(), max_effect: null, deny: new Set() },
  });
});

const faults: [what: string, text: string, pointer: string, wanted: string][] = [
  ["no object", "[]", "", "at the top an object was wanted"],
  [
    "an unknown member first",
    '{"tool":{}}',
    "/tool",
    'at "/tool" a member other than schema, tools, max_effect, deny stands',
  ],
  [
    "another schema",
    '{"schema":"effect-policy/v2","tools":{}}',
    "/schema",
    'at "/schema" "effect-policy/v1" was wanted',
  ],
  [
    "no tools",
    '{"schema":"effect-policy/v1"}',
    "/tools",
    'at "/tools" an object of effect classes was wanted',
  ],
  [
    "a class that does not exist",
    '{"schema":"effect-policy/v1","tools":{"a":"SE0","b/~":"SE5"}}',
    "/tools/b~1~0",
    'at "/tools/b~1~0" SE0, SE1, SE2, SE3 or SE4 was wanted',
  ],
  [
    "a number as a class",
    '{"schema":"effect-policy/v1","tools":{"__proto__":0}}',
    "/tools/__proto__",
    'at "/tools/__proto__" SE0, SE1, SE2, SE3 or SE4 was wanted',
  ],
  [
    "a ceiling that is null",
    '{"schema":"effect-policy/v1","tools":{},"max_effect":null}',
    "/max_effect",
    'at "/max_effect" SE0, SE1, SE2, SE3 or SE4 was wanted',
  ],
  [
    "denied tools that are no list",
    '{"schema":"effect-policy/v1","tools":{},"deny":"a"}',
    "/deny",
    'at "/deny" a list of names was wanted',
  ],
  [
    "a denied tool that is no name",
    '{"schema":"effect-policy/v1","tools":{},"deny":["a",null]}',
    "/deny/1",
    'at "/deny/1" a name was wanted',
  ],
];

for (const [what, text, pointer, wanted] of faults) {
  reading(`refuses ${what}, and says where`, () => {
    assert.equal(readPolicy(lineOf(text)), {
      ok: false,
      code: "recording.policy_invalid",
      reason: START + wanted,
      at: { pointer },
    });
  });
}

const unreadable: [what: string, bytes: Uint8Array, at: object, why: string][] = [
  [
    "a tool that stands there twice",
    lineOf('{"schema":"effect-policy/v1","tools":{"a":"SE0","a":"SE4"}}'),
    { byte: 48, pointer: "/tools/a" },
    "a member name is repeated",
  ],
  [
    "a byte order mark",
    lineOf("\ufeff{}"),
    { byte: 0, pointer: "" },
    "it starts with a byte order mark",
  ],
  [
    "bytes that are no UTF-8",
    new Uint8Array([0x22, 0xff, 0x22]),
    { byte: 1, pointer: "" },
    "it is not valid UTF-8",
  ],
  ["what is no JSON", lineOf("{"), { byte: 1, pointer: "" }, "a member name was wanted"],
];

for (const [what, bytes, at, why] of unreadable) {
  reading(`refuses ${what}`, () => {
    assert.equal(readPolicy(bytes), {
      ok: false,
      code: "recording.policy_invalid",
      reason: `${START}Reading JSON: ${why}`,
      at,
    });
  });
}

reading.run();

const classes = suite("classOf()");
const policy = policyOf({ tools: { echo: "SE1" } });
const harmless = { readOnlyHint: true, openWorldHint: false };

classes("believes the policy before annotations, trusted or not", () => {
  for (const trust of [true, false]) {
    assert.equal(classOf(policy, "echo", harmless, trust), {
      effect_class: "SE1",
      source: "policy",
    });
  }
});

classes("takes a tool that nobody vouches for as SE4", () => {
  const worst = { effect_class: "SE4", source: "default" };
  assert.equal(classOf(policy, "other", harmless, false), worst);
  for (const annotations of [undefined, null, "SE0", [harmless]]) {
    assert.equal(classOf(policy, "other", annotations, true), worst);
  }
});

classes("knows names that objects inherit only as members of the policy", () => {
  const worst = { effect_class: "SE4", source: "default" };
  for (const name of ["toString", "constructor", "__proto__"]) {
    assert.equal(classOf(policyOf({ tools: {} }), name, undefined, true), worst);
  }
  const named = readPolicy(lineOf('{"schema":"effect-policy/v1","tools":{"__proto__":"SE2"}}'));
  assert.ok(named.ok);
  assert.equal(named.ok && classOf(named.value, "__proto__", undefined, false), {
    effect_class: "SE2",
    source: "policy",
  });
});

const [yes, no, none] = [true, false, undefined];
const hints: [readOnly: unknown, destructive: unknown, openWorld: unknown, wanted: string][] = [
  [yes, none, no, "SE0"],
  [yes, yes, no, "SE0"],
  [yes, none, yes, "SE1"],
  [yes, none, none, "SE1"],
  [no, no, no, "SE2"],
  [none, no, no, "SE2"],
  [no, no, yes, "SE3"],
  [none, no, none, "SE3"],
  [no, yes, no, "SE4"],
  [none, none, no, "SE4"],
  [none, none, none, "SE4"],
  ["true", "false", "false", "SE4"],
];

for (const [readOnlyHint, destructiveHint, openWorldHint, wanted] of hints) {
  const annotations = { readOnlyHint, destructiveHint, openWorldHint, idempotentHint: true };
  classes(`takes ${JSON.stringify(annotations)} as ${wanted} when it is trusted`, () => {
    assert.equal(classOf(policy, "other", annotations, true), {
      effect_class: wanted,
      source: "annotations",
    });
  });
}

classes.run();
