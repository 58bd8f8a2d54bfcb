/**
 * Child processes for the other scripts: a time limit each, output kept, and nothing left behind,
 * since a child and its own children form one process group that dies together.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The project's top folder, with a final slash. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));

/** How a command ended. */
export interface Ended {
  /** True when it exited with status 0 within its time. */
  ok: boolean;
  /** Standard output. */
  stdout: string;
  /** Both streams in order of arrival, and a last line when time ran out. */
  output: string;
}

/** Settings of {@linkcode run}. */
export interface RunOptions {
  /** Working directory; the project's top folder unless told. */
  cwd?: string;
  /** Milliseconds until the process is killed, 300,000 unless told. */
  timeoutMs?: number;
}

const running = new Set<number>();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const pid of running) killGroup(pid);
    process.exit(130);
  });
}

/** Runs a command, with the tools of node_modules first in its PATH. */
export function run(
  command: string,
  args: string[],
  { cwd = root, timeoutMs = 300_000 }: RunOptions = {},
): Promise<Ended> {
  const path = `${root}node_modules/.bin${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: {
      DENO_TLS_CA_STORE: "mozilla,system", // as npm does where the system trusts a proxy
      ...process.env,
      PATH: path,
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid;
  if (pid !== undefined) running.add(pid);
  return new Promise((resolve) => {
    let stdout = "";
    let output = "";
    const timer = setTimeout(() => {
      output += `\n${command}: killed after ${timeoutMs / 1000} s\n`;
      if (pid !== undefined) killGroup(pid);
    }, timeoutMs);
    const end = (status: number | null): void => {
      clearTimeout(timer);
      if (pid !== undefined) running.delete(pid);
      resolve({ ok: status === 0, stdout, output });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => output += text);
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(null);
    });
    child.on("close", end);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself.
  }
}
