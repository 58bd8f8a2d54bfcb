/**
 * What the policy tests share: the project's files, and child processes in the current runtime.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readText } from "../read.ts";

/** The project's top folder, with a final slash. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** Paths of ours below a folder of the project that end as told, sorted; none when there is no folder. */
export async function filesBelow(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(root + folder, { recursive: true }).catch(() => []);
  const ours = names.filter((name) => !name.split(/[\\/]/).includes("node_modules"));
  return ours.filter((name) => name.endsWith(ending)).map((name) =>
    `${folder}/${name.replaceAll("\\", "/")}`
  ).sort();
}

/** The parts of package.json that policies speak of. */
export interface PackageJson {
  name: string;
  version: string;
  license: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The parts of deno.json that policies speak of. */
export interface DenoJson {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string>;
  imports: Record<string, string>;
}

/** Reads package.json. */
export async function readPackage(): Promise<PackageJson> {
  return JSON.parse(await readText("package.json"));
}

/** Reads deno.json. */
export async function readDenoConfig(): Promise<DenoJson> {
  return JSON.parse(await readText("deno.json"));
}

/** How a child process ended. */
export interface Ended {
  /** Exit status; -1 when it was killed, by time-out or otherwise. */
  status: number;
  stdout: string;
  stderr: string;
}

/** Settings of {@linkcode runFile}. */
export interface RunFileOptions {
  /** Working directory; the project's top folder unless told. */
  cwd?: string;
  /** Milliseconds until the process is killed, 60,000 unless told. */
  timeoutMs?: number;
}

/** Runs a TypeScript file, given by its absolute path, in the runtime that runs this. */
export function runFile(
  file: string,
  args: string[] = [],
  { cwd = root, timeoutMs = 60_000 }: RunFileOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...runtimeArguments(), file, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  return new Promise((resolve, reject) => {
    const ended: Ended = { status: -1, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => ended.stdout += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => ended.stderr += text);
    child.on("error", reject);
    child.on("close", (status) => resolve({ ...ended, status: status ?? -1 }));
  });
}

/** How the runtime that runs this is started with a TypeScript file. */
export function runtimeArguments(): string[] {
  if ("Deno" in globalThis) {
    // Quiet, or what it downloads into an empty cache is told on standard error.
    return ["run", "-A", "--quiet", "--frozen", "--config", `${root}deno.json`];
  }
  return "Bun" in globalThis ? ["run"] : ["--import", import.meta.resolve("tsx")];
}
