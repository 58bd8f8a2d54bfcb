/**
 * Operations `gate.*`.
 *
 * @module
 */
import { parseJson } from "../canonical/mod.ts";
import { ByteBuffer, EvidenceError, MAX_TEXT_BYTES } from "../core/mod.ts";
import type { Result } from "../core/mod.ts";
import {
  baselineFailure,
  digestTree,
  inspectVariant,
  parseChildResult,
  parseTaskset,
  requireSupportedIsolation,
  runGate,
  runVariant,
  scanTripwires,
} from "../gate/mod.ts";
import type { Variant } from "../gate/mod.ts";
import { readFilePieces } from "../store/mod.ts";
import { readContent, readFiles } from "./files.ts";
import { InputError, isObject, readList, readObject, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host } from "./workspace.ts";

const ENTRIES: ReadonlyMap<string, (...given: unknown[]) => never> = new Map([
  ["runGate", runGate],
  ["runVariant", runVariant],
  ["requireSupportedIsolation", requireSupportedIsolation],
]);

/** `gate.refuse` */
export async function refuse(input: Input): Promise<Output> {
  const entry = ENTRIES.get(readText(input, "function"));
  if (entry === undefined) throw new InputError("function", "the name of an execution entry");
  const given = input["trap"] === true ? [trap()] : readList(input, "arguments");
  return await attempt(() => entry(...given));
}

/** An object that must not be looked at. */
function trap(): object {
  const spring = (): never => {
    throw new Error("The refusal looked at its argument");
  };
  return new Proxy({}, {
    get: spring,
    has: spring,
    ownKeys: spring,
    getPrototypeOf: spring,
    getOwnPropertyDescriptor: spring,
  });
}

/** `gate.parse_taskset` */
export async function readTaskset(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    const content = readContent(input["file"]);
    await workspace.build("tasks", [{ path: "taskset.json", content }]);
    return await attempt(async () => {
      const bytes = new ByteBuffer();
      for await (const piece of readFilePieces(workspace.at("tasks"), "taskset.json")) {
        bytes.append(piece);
        if (bytes.length > MAX_TEXT_BYTES) break;
      }
      const taskset = take(parseTaskset(bytes.view(), "tasks/taskset.json", host.sha256));
      const { digest, version, family, tasks } = taskset;
      const task_ids = tasks.map(({ id }) => id);
      return { digest, version, family, task_ids, keys: Object.keys(taskset) };
    });
  });
}

/** `gate.inspect` */
export async function inspect(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    if (input["files"] !== null) await workspace.build(VARIANT, readFiles(input, "files"));
    const options = { locale: readText(input, "locale") };
    let variant: Variant | undefined;
    const load = await attempt(async () => {
      variant = take(inspectVariant(await workspace.read(VARIANT), host.sha256, options));
      const { name, effect_class, entry, digest } = variant;
      return { name, effect_class, entry, digest };
    });
    const digest_dir = await attempt(async () => {
      return { digest: take(digestTree(await workspace.read(VARIANT), host.sha256, options)) };
    });
    if (variant === undefined) return { load, digest_dir, hits: null, class_hits: null };
    return { load, digest_dir, hits: scanTripwires(variant), class_hits: classHits(variant) };
  });
}

/** `gate.parse_result` */
export function readResult(input: Input): Output {
  const tasks = readObjects(input, "tasks") as readonly { id: unknown }[];
  const { outputs, fatal } = parseChildResult(childOf(input["child"]), tasks);
  return { ok: fatal === null, kind: fatal?.kind ?? null, outputs: [...outputs] };
}

/** `gate.check_baseline` */
export function checkBaseline(input: Input): Output {
  const failure = baselineFailure(runOf(input), input["tasks"]);
  return { ok: failure === null, kind: failure?.kind ?? null };
}

const VARIANT = "variant";

/** The value of a result; its refusal is thrown, to be told by {@linkcode attempt}. */
function take<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new EvidenceError(result.code, result.reason);
}

function classHits(variant: Variant): Output {
  const hits = (["SE0", "SE2", "SE4"] as const).map((maxEffectClass) => {
    return [maxEffectClass, scanTripwires(variant, { maxEffectClass, tripwires: [] })];
  });
  return Object.fromEntries(hits);
}

/** A child, whose output may be given as a repetition. */
function childOf(child: unknown): unknown {
  if (!isObject(child) || child["stdout_repeat"] === undefined) return child;
  const { text, times } = readObject(child, "stdout_repeat");
  const suffix = child["stdout_suffix"] ?? "";
  return { ...child, stdout: String(text).repeat(Number(times)) + String(suffix) };
}

/** A run, whose outputs are given as a list, as its text, or as they are. */
function runOf(input: Input): unknown {
  const { run } = input;
  if (!isObject(run)) return run;
  const { outputs, outputs_json, outputs_plain } = run;
  const rows = outputs_json === undefined ? outputs : parseRows(readText(run, "outputs_json"));
  return { ...run, outputs: Array.isArray(rows) ? new Map(rows) : outputs_plain };
}

function parseRows(text: string): unknown {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new InputError("outputs_json", "JSON");
  return parsed.value;
}
