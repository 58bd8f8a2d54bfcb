/**
 * Operations `recording.*`.
 *
 * Rule: `docs/spec/conformance.md`, "recording.replay".
 *
 * @module
 */
import type { EffectClass } from "../capsule/mod.ts";
import { decodeUtf8 } from "../core/mod.ts";
import { classOf, listAnswers, readAnswer, readPolicy, ReplayServer } from "../recording/mod.ts";
import type { EffectPolicy } from "../recording/mod.ts";
import { readContent, readFiles, safePath } from "./files.ts";
import { InputError, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { fixturesOf, STORE } from "./replay.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host } from "./workspace.ts";

/** `recording.read_policy` */
export function readEffects(input: Input): Output {
  const policy = readPolicy(readBytes("policy", input["policy"]));
  if (!policy.ok) return { ok: false, code: policy.code, ...policy.at };
  const { max_effect, deny } = policy.value;
  return { ok: true, max_effect, deny: [...deny], tools: classify(input, policy.value) };
}

/** `recording.read_answer` */
export async function readOneAnswer(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const path = safePath(readText(input, "name"));
    await workspace.build(STORE, [{ path, content: readContent(input["file"]) }]);
    const store = fixturesOf(workspace);
    const [[key, [occurrence]] = [undefined, []]] = await listAnswers(store);
    if (key === undefined || occurrence === undefined) return { ok: false, code: null };
    const read = await readAnswer(await store.read(path), key, occurrence, host.sha256);
    return read.ok ? { ok: true, answer: read.value } : { ok: false, code: read.code };
  });
}

/** `recording.replay` */
export async function replay(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(STORE, readFiles(input, "store"));
    const server = new ReplayServer({
      store: fixturesOf(workspace),
      sha256: host.sha256,
      maxEffect: readText(input, "max_effect") as EffectClass,
    });
    const answers: Output[][] = [];
    for (const line of readObjects(input, "lines")) {
      answers.push((await server.handle(readBytes("lines", line))).map(describeLine));
    }
    return { answers, report: await server.report() };
  });
}

function classify(input: Input, policy: EffectPolicy): Output[] {
  const isTrusted = input["trust_annotations"] === true;
  return readObjects(input, "tools").map((tool) => {
    const name = readText(tool, "name");
    return { name, ...classOf(policy, name, tool["annotations"], isTrusted) };
  });
}

function describeLine(line: Uint8Array): Output {
  const text = decodeUtf8(line) ?? "";
  return { text, message: JSON.parse(text) };
}

function readBytes(name: string, value: unknown): Uint8Array {
  const content = readContent(value);
  if (content.kind !== "file") throw new InputError(name, "made of utf8 or base64");
  return content.bytes;
}
