/**
 * The commands of docs/guide/sign-and-pin.md do what the page says, openssl's included: its keys are read, and it accepts
 * the signature. Commands and program of docs/guide/take-a-submission-you-do-not-trust.md print what the page says.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readDenoConfig, root, runFile, runtimeArguments } from "../house/project.ts";
import { readText } from "../read.ts";
import { skip } from "../skip.ts";

const guide = suite("docs/guide/sign-and-pin.md");
const title = "its commands make a key, sign, verify, and check the signature without this library";

const openssl = spawnSync("openssl", ["version"], { encoding: "utf8" });
if (openssl.error === undefined && openssl.stdout.startsWith("OpenSSL 3")) guide(title, run);
else skip(guide, title, "there is no openssl of version 3");

async function run(): Promise<void> {
  const page = await readText("docs/guide/sign-and-pin.md");
  const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, body = ""]) => body);
  const quoted = [process.execPath, ...runtimeArguments(), `${root}src/cli/main.ts`]
    .map((word) => `'${word}'`).join(" ");
  const before = [
    "set -e",
    `affidavit() { ${quoted} "$@"; }`,
    "affidavit capsule create run-7 > created.json",
    "affidavit capsule append run-7 plan start > appended.json\n",
  ];
  const folder = await mkdtemp(join(tmpdir(), "affidavit-guide-"));
  try {
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", before.join("\n") + commands.join("")],
      { cwd: folder, encoding: "utf8" },
    );
    assert.equal({ status, stderr }, { status: 0, stderr: "" });
    assert.is(stdout.match(/"signed_by": "[0-9a-f]{64}"/g)?.length, 2);
    assert.match(stdout, /Signature Verified Successfully\n$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

guide.run();

const submission = suite("docs/guide/take-a-submission-you-do-not-trust.md");
const submissionPage = await readText("docs/guide/take-a-submission-you-do-not-trust.md");

/** What the reader runs, with the output that the page says it has. */
const steps = [
  ...submissionPage.matchAll(/^```(sh|ts ignore)\n([^]*?)^```\n\n```text\n([^]*?)^```$/gm),
].map(([, language, body = "", output = ""]) => ({ isProgram: language !== "sh", body, output }));

submission("what is run prints what the page says, and every fence is run", async () => {
  const printed = await inSubmission(async (folder) => {
    const all: string[] = [];
    for (const step of steps) all.push(await runStep(step, folder));
    return all;
  });
  assert.equal(printed, steps.map(({ output }) => output));
  assert.is(steps.length * 2, submissionPage.match(/^```\w/gm)?.length);
});

submission(
  "a file that was exchanged after it was judged is refused as the page says",
  async () => {
    const [, seal, , makeSpec, accept] = steps;
    const printed = await inSubmission(async (folder) => {
      await appendFile(join(folder, "given/outputs/answer.md"), "43\n");
      for (const step of [seal, makeSpec]) await runStep(step!, folder);
      return await runStep(accept!, folder);
    });
    assert.match(
      printed,
      /^affidavit: record\.pin_mismatch: .*\(at "evaluation_spec_sha256"\)\nexit status 1\n$/,
    );
    assert.ok(submissionPage.includes("`record.pin_mismatch` at\n`evaluation_spec_sha256`"));
  },
);

/** Works in a folder with the example of a submission, and with the command as a person at a terminal sees it. */
async function inSubmission<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "affidavit-guide-"));
  try {
    const { status, stderr } = await runFile(`${root}examples/submission.ts`, [], { cwd: folder });
    assert.equal({ status, stderr }, { status: 0, stderr: "" });
    await writeFile(join(folder, "terminal.mts"), TERMINAL);
    return await work(folder);
  } finally {
    spawnSync("chmod", ["-R", "u+w", folder]); // what was sealed is read-only
    await rm(folder, { recursive: true, force: true });
  }
}

const TERMINAL = `import process from "node:process";
import { run } from "${pathToFileURL(`${root}src/cli/mod.ts`)}";
const output = { write: (text) => void process.stdout.write(text), isTerminal: true };
const io = { stdout: output, stderr: output, stdin: process.stdin, useColour: false };
process.exitCode = await run(process.argv.slice(2), io);
`;

/** Runs commands or a program; gives what they print, and their exit status unless it is 0. */
async function runStep({ isProgram, body }: typeof steps[number], folder: string): Promise<string> {
  if (!isProgram) {
    const words = [process.execPath, ...runtimeArguments(), join(folder, "terminal.mts")];
    const command = `affidavit() { ${words.map((word) => `'${word}'`).join(" ")} "$@"; }\n`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command + body], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr + (status === 0 ? "" : `exit status ${status}\n`);
  }
  const { exports } = await readDenoConfig();
  const file = join(folder, "program.mts");
  const mapped = body.replace(
    /"affidavit\/(\w+)"/g,
    (_, area) => `"${pathToFileURL(join(root, exports[`./${area}`] ?? ""))}"`,
  );
  await writeFile(file, mapped);
  const { status, stdout, stderr } = await runFile(file, [], { cwd: folder });
  return stdout + stderr + (status === 0 ? "" : `exit status ${status}\n`);
}

submission.run();
