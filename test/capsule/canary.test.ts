import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CANARIES, findCanaries } from "../../src/capsule/mod.ts";
import { PATTERNS } from "../lib/plain.ts";
import { type Random, seeded } from "../lib/random.ts";

const canaries = suite("findCanaries()");

/** An `x` for every missing character, so that no token stands in this file. */
const x = (count: number): string => "x".repeat(count);
const X = (count: number): string => "X".repeat(count);

/** Texts that trip exactly the canary, and texts next to them that trip none. */
const CASES: Record<typeof CANARIES[number], { hits: string[]; misses: string[] }> = {
  private_key_block: {
    hits: [
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----",
      "-----BEGIN   PRIVATE KEY PRIVATE KEY-----",
      "a-----BEGIN EC PRIVATE KEY-----b",
      "-----BEGIN -----BEGIN PRIVATE KEY-----",
    ],
    misses: [
      "----BEGIN PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY----",
      "-----BEGINPRIVATE KEY-----",
      "-----BEGIN rsa PRIVATE KEY-----",
      "-----BEGIN PUBLIC KEY-----",
      "-----BEGIN RSA-PRIVATE KEY-----",
      "-----BEGIN PRIVATE\nKEY-----",
      "-----begin private key-----",
    ],
  },
  aws_access_key: {
    hits: [`AKIA${X(16)}`, `-AKIA${"0".repeat(16)}-`, `éAKIA${X(16)}é`],
    misses: [
      `AKIA${X(15)}`,
      `AKIA${X(17)}`,
      `aAKIA${X(16)}`,
      `_AKIA${X(16)}`,
      `AKIA${X(16)}_`,
      `akia${X(16)}`,
      `AKIA${x(16)}`,
    ],
  },
  openai_style_key: {
    hits: [
      `sk-${x(20)}`,
      `.sk-${x(9)}_-${x(9)}`,
      `sk-${x(20)}-----`,
      `-sk-${x(20)}`,
      `sk-sk-${x(17)}`,
    ],
    misses: [
      `sk-${x(19)}`,
      `ask-${x(20)}`,
      `_sk-${x(20)}`,
      `SK-${x(20)}`,
      `sk_${x(20)}`,
      `sk-${x(10)}.${x(10)}`,
      `sk-${"-".repeat(20)}`,
    ],
  },
  github_token: {
    hits: ["p", "o", "u", "s", "r"].map((kind) => `gh${kind}_${x(30)}`),
    misses: [
      `ghp_${x(29)}`,
      `gha_${x(30)}`,
      `xghp_${x(30)}`,
      `ghp-${x(30)}`,
      `ghp_${x(30)}_`,
      `ghp_${x(15)}-${x(15)}`,
      `GHP_${x(30)}`,
    ],
  },
  slack_token: {
    hits: ["a", "b", "p", "r"].map((kind) => `xox${kind}-${x(10)}`).concat(`xoxb-1-2-3-4-5-x`),
    misses: [
      `xoxb-${x(9)}`,
      `xoxc-${x(10)}`,
      `axoxb-${x(10)}`,
      `xoxb_${x(10)}`,
      `xoxb-${x(10)}_`,
      `xoxb-${"-".repeat(10)}`,
      `XOXB-${x(10)}`,
    ],
  },
  stripe_key: {
    hits: [`sk_live_${x(16)}`, `rk_test_${x(16)}`, `-sk_test_${x(99)}-`],
    misses: [
      `sk_live_${x(15)}`,
      `pk_live_${x(16)}`,
      `sk_prod_${x(16)}`,
      `ask_live_${x(16)}`,
      `sk_live_${x(16)}_`,
      `sk-live-${x(6)}`,
      `SK_LIVE_${x(16)}`,
    ],
  },
  bearer_header: {
    hits: [
      `Bearer ${x(20)}`,
      `Bearer \t\n\u00a0\ufeff\u2028${x(20)}`,
      `:Bearer ${"=".repeat(20)}`,
      `Bearer ${x(20)}é`,
    ],
    misses: [
      `Bearer ${x(19)}`,
      `Bearer${x(20)}`,
      `bearer ${x(20)}`,
      `xBearer ${x(20)}`,
      `Bearer: ${x(20)}`,
      `Bearer ${x(10)},${x(10)}`,
      "Bearer \u200b" + x(20),
    ],
  },
  jwt: {
    hits: [
      `eyJ${x(10)}.${x(10)}.${x(10)}`,
      `-eyJ${x(10)}.${x(10)}.${x(10)}-`,
      `eyJ-eyJ${x(7)}.__________.${x(10)}`,
      `eyJ${x(10)}.${x(9)}.eyJ${x(10)}.${x(10)}.${x(10)}`,
      `eyJ${x(10)}.eyJ${x(10)}.${x(10)}.${x(9)}`,
      `eyJ${x(10)}.eyJ${x(10)}.${x(9)}-.${x(10)}`,
      `eyJ${x(10)}.----------.${x(10)}----é`,
    ],
    misses: [
      `eyJ${x(9)}.${x(10)}.${x(10)}`,
      `eyJ${x(10)}.${x(9)}.${x(10)}`,
      `eyJ${x(10)}.${x(10)}.${x(9)}`,
      `eyJ${x(10)}.${x(10)}..${x(10)}`,
      `xeyJ${x(10)}.${x(10)}.${x(10)}`,
      `_eyJ${x(10)}.${x(10)}.${x(10)}`,
      `eyJ${x(10)}.${x(10)}.${"-".repeat(10)}`,
      `eyj${x(10)}.${x(10)}.${x(10)}`,
      `eyJ${x(10)} .${x(10)}.${x(10)}`,
      `eyJ${x(10)}.${x(10)}`,
    ],
  },
  env_assignment: {
    hits: [
      ...["API_KEY", "SECRET", "TOKEN", "PASSWORD", "PASSWD", "token", "Api_Key"],
    ].map((name) => `${name}=${x(8)}`).concat("TOKEN \n=\t ééééééé漢", `-SECRET=${"=".repeat(8)}`),
    misses: [
      `TOKEN=${x(7)}`,
      `MY_TOKEN=${x(8)}`,
      `xTOKEN=${x(8)}`,
      `TOKENS=${x(8)}`,
      `TOKEN:${x(8)}`,
      `TOKEN=${x(7)} x`,
      `API-KEY=${x(8)}`,
      `ſecret=${x(8)}`,
    ],
  },
};

for (const name of CANARIES) {
  canaries(`${name} trips on its shape and not on what stands next to it`, () => {
    const { hits, misses } = CASES[name];
    assert.equal(hits.map((text) => findCanaries(text)), hits.map(() => [name]));
    assert.equal(misses.map((text) => findCanaries(text)), misses.map(() => []));
    const inText = hits.map((text) => findCanaries(`é: ${text}\n${text}`));
    assert.equal(inText, hits.map(() => [name]));
  });
}

canaries("findCanaries() lists all that a text trips in table order", () => {
  const all = CANARIES.map((name) => CASES[name].hits[0]).reverse().join(" ");
  assert.equal(findCanaries(all), [...CANARIES]);
  assert.equal(findCanaries(`Bearer eyJ${x(10)}.${x(10)}.${x(10)}`), ["bearer_header", "jwt"]);
  assert.equal(findCanaries(""), []);
});

canaries("CANARIES are the names of the published patterns in their order", () => {
  assert.equal([...CANARIES], Object.keys(PATTERNS));
});

/** Parts that hit the structure of the patterns when they are strung together. */
const PARTS: Record<string, string[]> = {
  private_key_block: [
    "-----BEGIN ",
    "-----",
    "BEGIN",
    " ",
    "A",
    "PRIVATE KEY",
    "PRIVATE KEY-----",
    "-",
  ],
  aws_access_key: ["AKIA", "AKIA", X(16), X(8), X(4), "A", "0", "a", "_", "-", "é", " "],
  openai_style_key: ["sk-", "sk-", "sk", "-", "_", x(9), x(5), "é", ".", " ", "k"],
  github_token: ["ghp_", "ghs_", "gh", "_", x(15), x(14), "p", "-", "é", " "],
  slack_token: ["xoxb-", "xoxr-", "xox", "-", x(5), x(4), "1", "_", "é", " "],
  stripe_key: ["sk_live_", "rk_test_", "sk_", "_", x(8), x(7), "1", "-", "é", " "],
  bearer_header: [
    "Bearer ",
    "Bearer",
    " ",
    "\t",
    "\u00a0",
    "\u200b",
    x(10),
    x(9),
    "=",
    "-",
    ",",
    "é",
  ],
  jwt: [
    "eyJ",
    "eyJ",
    ".",
    ".",
    "-",
    "_",
    x(10),
    x(7),
    "x",
    " ",
    "é",
    "ey",
    "J",
    "eyJ" + x(10) + ".",
  ],
  env_assignment: [
    "TOKEN",
    "secret",
    "API_KEY",
    "=",
    "=",
    " ",
    "\n",
    x(4),
    x(3),
    "_",
    "ſ",
    "é",
    "-",
  ],
};

function strung(random: Random, parts: readonly string[]): string {
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(parts)).join("");
}

function compare(name: string, runs: number, seed: number): void {
  const random = seeded(seed);
  const pattern = PATTERNS[name] as RegExp;
  let hits = 0;
  for (let run = 0; run < runs; run++) {
    const text = strung(random, PARTS[name] as string[]);
    const expected = pattern.test(text);
    if (expected) hits++;
    const found = findCanaries(text).includes(name as typeof CANARIES[number]);
    if (found !== expected) assert.is(found, expected, JSON.stringify(text));
  }
  assert.ok(hits > runs / 200 && hits < runs, `${hits} of ${runs}`);
}

canaries("jwt agrees with the published pattern on 200,000 adversarial texts", () => {
  compare("jwt", 200_000, 1);
});

for (const name of CANARIES.filter((name) => name !== "jwt")) {
  canaries(`${name} agrees with the published pattern on 10,000 adversarial texts`, () => {
    compare(name, 10_000, 2);
  });
}

const LONG = 1 << 20;
const filled = (start: string, part: string, end = ""): string =>
  start + part.repeat(Math.ceil(LONG / part.length)) + end;

/** A mebibyte each, on which a pattern that starts over again and again would take minutes. */
const HOSTILE: Record<string, string> = {
  "eyJ-": filled("", "eyJ-"),
  "eyJ and x": filled("", `eyJ${x(10)}-`),
  "eyJ.": filled("", `eyJ${x(10)}.`),
  "two parts of eyJ": filled("", `eyJ${x(10)}.${x(10)}.`, "."),
  "a long second part": filled(`eyJ${x(10)}.`, "eyJ-"),
  "a long third part of dashes": filled(`eyJ${x(10)}.${x(10)}.`, "-", "é"),
  "dots": filled("", "."),
  "sk-": filled("", "sk-"),
  "sk and dashes": filled("sk", "-"),
  "xoxb-": filled("", "xoxb-", "_"),
  "xoxb and dashes": filled("xoxb", "-"),
  "ghp_": filled("", "ghp_"),
  "ghp and x": filled("ghp_", "x", "_"),
  "sk_live_": filled("", "sk_live_"),
  "sk_live_ and x": filled("sk_live_", "x", "_"),
  "AKIA": filled("", "AKIA"),
  "Bearer and blanks": filled("Bearer", " "),
  "Bearer again": filled("", "Bearer "),
  "Bearer and blanks again": filled("", `Bearer${" ".repeat(999)}`),
  "TOKEN and blanks": filled("TOKEN", " "),
  "TOKEN= and blanks": filled("TOKEN=", " "),
  "TOKEN and blanks again": filled("", `TOKEN${" ".repeat(999)}`),
  "TOKEN = again": filled("", "TOKEN = "),
  "TOKEN-": filled("", "TOKEN-"),
  "BEGIN and letters": filled("-----BEGIN ", "A"),
  "BEGIN and PRIVATE KEY": filled("-----BEGIN ", "PRIVATE KEY "),
  "BEGIN again": filled("", "-----BEGIN "),
  "dashes": filled("", "-"),
  "blanks": filled("", " "),
  "x": filled("", "x"),
};

canaries("findCanaries() comes to an end on a mebibyte of every hostile shape", () => {
  const found = Object.entries(HOSTILE).filter(([, text]) => findCanaries(text).length > 0);
  assert.equal(found.map(([name]) => name).sort(), [
    ...["eyJ.", "sk-", "two parts of eyJ", "xoxb-"],
  ]);
});

canaries.run();
