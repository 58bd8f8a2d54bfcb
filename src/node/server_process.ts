/**
 * A server as a child process: started without a shell in a process group of its own, ended with its helpers.
 *
 * @module
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import process from "node:process";
import type { Transport } from "../ports/mod.ts";
import { defaultEnvironment } from "./stdio_spec.ts";
import type { StdioSpec } from "./stdio_spec.ts";

const hasGroups = process.platform !== "win32";
const SIGNALS = { look: 0, terminate: "SIGTERM", kill: "SIGKILL" } as const;

/** Starts a server. @throws what `spawn` throws. */
export function startServer(spec: StdioSpec, stderr: "pipe" | "inherit"): ChildProcess {
  const { command, args = [], cwd, env = defaultEnvironment() } = spec;
  return spawn(command, args, {
    stdio: ["pipe", "pipe", stderr],
    shell: false,
    windowsHide: true,
    detached: hasGroups,
    // Measured: Node and Deno add this variable of their own process to any environment that does not name it.
    env: { NODE_V8_COVERAGE: undefined, ...env },
    ...(cwd !== undefined && { cwd }),
  });
}

/** The means to end a server. */
export function handlesOf(
  child: ChildProcess,
): Pick<Transport, "endInput" | "signal" | "release"> {
  return {
    endInput: () => void child.stdin?.end(),
    signal: (how) => {
      if (child.pid === undefined) return false;
      if (how === "kill") letGo(child); // whatever survives this is not waited for by this process
      try {
        return hasGroups ? process.kill(-child.pid, SIGNALS[how]) : child.kill(SIGNALS[how]);
      } catch {
        return false; // nobody is there (ESRCH), or nobody that may be told (EPERM)
      }
    },
    release: () => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
    },
  };
}

/** Keeps this process alive no longer for that one. In Bun the input cannot be let go, and closes with the process. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
  }
}
