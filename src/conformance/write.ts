/**
 * Operation `capsule.write`: creates a capsule and takes steps on it.
 *
 * Rule: `docs/spec/conformance.md`, "capsule.write".
 *
 * @module
 */
import { encodeUtf8, MAX_TEXT_BYTES, readWhole } from "../core/mod.ts";
import { FILES } from "../capsule/mod.ts";
import type { AppendOptions, Lineage } from "../capsule/mod.ts";
import type { Directory } from "../ports/mod.ts";
import {
  createCapsule,
  exportBundle,
  openCapsule,
  projectDirectory,
  readFileInput,
  verifyDirectory,
} from "../store/mod.ts";
import type { Capsule, StoreEnvironment } from "../store/mod.ts";
import { CAPSULE, describeVerdict } from "./capsule.ts";
import { environmentFor } from "./environment.ts";
import { readFiles, safePath } from "./files.ts";
import { InputError, readObject, readObjects, readText } from "./input.ts";
import type { Input, Output } from "./input.ts";
import { attempt } from "./refusal.ts";
import { decodeTagged } from "./tagged.ts";
import { withWorkspace } from "./workspace.ts";
import type { Host, Workspace } from "./workspace.ts";

/** `capsule.write` */
export async function write(input: Input, host: Host): Promise<Output> {
  return await withWorkspace(host, async (workspace) => {
    await workspace.build(CAPSULE, readFiles(input, "existing"));
    const stage = new Stage(workspace, environmentFor(input, host));
    const creation = await stage.create(readObject(input, "create"));
    const steps = [{ op: "create", ...creation }];
    if (creation["ok"] === true) {
      await workspace.build(CAPSULE, readFiles(input, "plant"));
      for (const step of readObjects(input, "steps")) {
        steps.push({ op: readText(step, "op"), ...await stage.take(step) });
      }
    }
    return { steps, files: await workspace.list(CAPSULE) };
  });
}

/** A capsule in a workspace, with the handles that were opened on it. */
class Stage {
  readonly #workspace: Workspace;
  readonly #environment: StoreEnvironment;
  readonly #directory: Directory;
  readonly #handles: Capsule[] = [];
  #exports = 0;

  constructor(workspace: Workspace, environment: StoreEnvironment) {
    this.#workspace = workspace;
    this.#environment = environment;
    this.#directory = workspace.at(CAPSULE);
  }

  async create(options: Input): Promise<Output> {
    return await attempt(async () => {
      this.#handles.push(await createCapsule(this.#directory, options, this.#environment));
      return {};
    });
  }

  async take(step: Input): Promise<Output> {
    const name = readText(step, "op");
    const take = Object.hasOwn(this.#steps, name) ? this.#steps[name] : undefined;
    if (take === undefined) throw new InputError("op", "the name of a step");
    return name === "export" ? await this.#export() : await attempt(() => take(step));
  }

  readonly #steps: Readonly<Record<string, (step: Input) => Promise<Output>>> = {
    append: (step) => this.#append(step),
    second_handle: async () => {
      this.#handles[1] = await openCapsule(this.#directory, this.#environment);
      return {};
    },
    open: async () => {
      const { nextSeq, lastHash } = await openCapsule(this.#directory, this.#environment);
      return { next_seq: nextSeq, last_hash: lastHash };
    },
    verify: async () =>
      describeVerdict(await verifyDirectory(this.#directory, this.#environment.sha256)),
    project: async () => {
      const { projection_hash } = await projectDirectory(
        this.#directory,
        this.#environment.sha256,
      );
      return { projection_hash };
    },
    export: () => this.#export(),
    append_bytes: async (step) => {
      const there = await this.#directory.inspect(FILES.journal, false);
      if (there?.kind !== "file") {
        throw new InputError("append_bytes", "on a journal that is a file");
      }
      const file = await this.#directory.openAppend(FILES.journal);
      try {
        await file.write(encodeUtf8(readText(step, "utf8")));
      } finally {
        await file.close();
      }
      return {};
    },
    remove: async (step) => {
      await this.#directory.remove(safePath(readText(step, "file")));
      return {};
    },
    replace: (step) => this.#replace(step),
  };

  async #append(step: Input): Promise<Output> {
    const handle = this.#handles[step["handle"] === 2 ? 1 : 0];
    if (handle === undefined) throw new InputError("handle", "one that was opened");
    const { lineage, kind, payload_tagged, options } = step;
    const payload = payload_tagged === undefined ? undefined : decodeTagged(payload_tagged);
    const entry = await handle.append(
      lineage as Lineage,
      kind as string,
      payload,
      options as AppendOptions | undefined,
    );
    return { seq: entry.seq, entry_hash: entry.entry_hash };
  }

  async #export(): Promise<Output> {
    const path = `export-${++this.#exports}`;
    const target = this.#workspace.at(path);
    const outcome = await attempt(async () => {
      const { files } = await exportBundle(this.#directory, target, this.#environment);
      const { code } = await verifyDirectory(target, this.#environment.sha256);
      return { files, verify_copy: code };
    });
    if (outcome["ok"] === true) return outcome;
    const files = await this.#workspace.list(path);
    return { ...outcome, target_exists: files !== null, target_files: files ?? [] };
  }

  async #replace(step: Input): Promise<Output> {
    const path = safePath(readText(step, "file"));
    const [from, to] = [readText(step, "from"), readText(step, "to")];
    const bytes = await readWhole(await readFileInput(this.#directory, path), MAX_TEXT_BYTES);
    const text = bytes.ok ? new TextDecoder().decode(bytes.value) : undefined;
    if (text === undefined) throw new InputError("file", "one that can be read");
    const content = { kind: "file" as const, bytes: encodeUtf8(text.replace(from, () => to)) };
    await this.#workspace.build(CAPSULE, [{ path, content }]);
    return {};
  }
}
