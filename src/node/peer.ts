/**
 * Somebody else's implementation: a command that answers the protocol of conformance on its standard streams.
 *
 * The command is not trusted to behave. When it dies or falls silent, the requests that were open are asked again one at a
 * time of a new process; the one that it dies of again has failed, and the rest goes on.
 *
 * @module
 */
import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { codeOf, decodeUtf8 } from "../core/mod.ts";
import { parseJson } from "../canonical/mod.ts";
import { readAnswer, splitLines } from "../conformance/mod.ts";
import type { Answer, Ask, Input } from "../conformance/mod.ts";

/** Settings of {@linkcode startPeer}. */
export interface PeerOptions {
  /** Longest silence while answers are due, in milliseconds. Default 60,000. */
  readonly stallMs?: number;
  /** How long the command may take to end once it has been told to, in milliseconds. Default 10,000. */
  readonly endMs?: number;
}

/** What there is to say of a command beyond its answers. */
export interface PeerEnd {
  /** What went wrong and no single request explains; `null` when nothing did. */
  readonly failure: string | null;
  /** Lines on its standard output that answered nothing. */
  readonly strays: number;
}

/** An implementation behind the protocol. */
export interface Peer {
  /** Asks for one operation; an answer comes in any case. */
  readonly ask: Ask;
  /** Tells the command that nothing more will be asked, and waits for its end. */
  end(): Promise<PeerEnd>;
}

/** Starts a command, without a shell, once something is asked of it. Its standard error is passed on. */
export function startPeer(command: readonly string[], options: PeerOptions = {}): Peer {
  return new CommandPeer(command, options);
}

interface Job {
  readonly op: string;
  readonly input: Input;
  readonly resolve: (answer: Answer) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

class CommandPeer implements Peer {
  readonly #command: readonly string[];
  readonly #stallMs: number;
  readonly #endMs: number;
  readonly #queue: Job[] = [];
  /** Open when the command died: one of them may be to blame. */
  readonly #suspects: Job[] = [];
  readonly #open = new Map<unknown, Job>();
  #child: Child | undefined;
  #ended: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAlone = false;
  #isEnding = false;
  #nextId = 1;
  #answers = 0;
  #deaths = 0;
  #strays = 0;
  /** Why the process was killed by us. */
  #killed: string | undefined;
  /** Why nothing is asked any more. */
  #givenUp: string | undefined;
  /** A death that one of the suspects may yet explain. */
  #unexplained: string | null = null;
  #failure: string | null = null;

  constructor(command: readonly string[], options: PeerOptions) {
    this.#command = command;
    this.#stallMs = options.stallMs ?? 60_000;
    this.#endMs = options.endMs ?? 10_000;
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
  }

  readonly ask: Ask = (op, input) =>
    new Promise((resolve) => {
      this.#queue.push({ op, input, resolve });
      this.#pump();
    });

  async end(): Promise<PeerEnd> {
    this.#isEnding = true;
    this.#watch(this.#endMs, `it did not end within ${this.#endMs} ms of the end of its input`);
    this.#child?.stdin.end();
    await this.#ended;
    clearTimeout(this.#timer);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    return { failure: this.#failure, strays: this.#strays };
  }

  #pump(): void {
    for (let job = this.#take(); job !== undefined; job = this.#take()) {
      if (this.#givenUp === undefined) this.#send(job);
      else job.resolve({ error: this.#givenUp });
    }
  }

  /** The next request that may be sent now. */
  #take(): Job | undefined {
    if (this.#open.size > 0 && (this.#isAlone || this.#suspects.length > 0)) return undefined;
    const suspect = this.#suspects.shift();
    this.#isAlone = suspect !== undefined;
    if (suspect !== undefined) return suspect;
    this.#failure ??= this.#unexplained;
    this.#unexplained = null;
    return this.#queue.shift();
  }

  #send(job: Job): void {
    const id = this.#nextId++;
    this.#open.set(id, job);
    this.#child ??= this.#start();
    this.#child?.stdin.write(`${JSON.stringify({ id, op: job.op, input: job.input })}\n`);
    if (this.#open.size === 1) this.#watchAnswers();
  }

  #start(): Child | undefined {
    const [file = "", ...args] = this.#command;
    try {
      // A group of its own, so that what the command started ends with it: `npm run` and the like start others.
      const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"], detached: hasGroups });
      child.stdin.on("error", () => undefined); // a closed pipe shows as the end of the process
      this.#ended = this.#attend(child);
      return child;
    } catch (error) {
      this.#ended = Promise.resolve().then(() => this.#onEnd(notStarted(error), true));
      return undefined;
    }
  }

  /** Reads answers until the process has ended. */
  async #attend(child: Child): Promise<void> {
    const end = endOf(child);
    try {
      for await (const line of splitLines(child.stdout)) this.#receive(line);
    } catch {
      // Reading fails when the process does, and that is told by how it ended.
    }
    const { how, isFatal } = await end;
    this.#onEnd(how, isFatal);
  }

  #receive(line: Uint8Array | null): void {
    const answer = line === null ? undefined : parse(line);
    const job = answer === undefined ? undefined : this.#open.get(answer["id"]);
    if (answer === undefined || job === undefined) {
      this.#strays++;
      return;
    }
    this.#open.delete(answer["id"]);
    this.#answers++;
    this.#watchAnswers();
    job.resolve(readAnswer(answer));
    this.#pump();
  }

  #onEnd(how: string, isFatal: boolean): void {
    clearTimeout(this.#timer);
    this.#child = undefined;
    const what = `The command ${this.#killed ?? how}`;
    this.#killed = undefined;
    const open = [...this.#open.values()];
    this.#open.clear();
    if (open.length === 1) {
      this.#unexplained = null;
      open[0]!.resolve({ error: what });
    } else if (open.length > 1) {
      this.#suspects.push(...open);
      this.#unexplained = `${what} with ${open.length} requests open, and none of them explains it`;
    } else if (!this.#isEnding || how !== CLEAN) {
      this.#failure = `${what} after its last answer`;
    }
    if (isFatal || (++this.#deaths >= 3 && this.#answers === 0)) {
      this.#givenUp = isFatal ? what : `${what} and never answered`;
      this.#unexplained = null;
    }
    this.#pump();
  }

  #watchAnswers(): void {
    clearTimeout(this.#timer);
    if (this.#open.size > 0) this.#watch(this.#stallMs, `was silent for ${this.#stallMs} ms`);
  }

  #watch(ms: number, why: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#killed = why;
      this.#kill();
    }, ms);
  }

  #kill(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(hasGroups ? -pid : pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }

  /** The command is in another group, which the terminal does not tell. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#kill();
    process.kill(process.pid, signal);
  };
}

const hasGroups = process.platform !== "win32";

const CLEAN = "ended with code 0";

function endOf(child: ChildProcess): Promise<{ how: string; isFatal: boolean }> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ how: notStarted(error), isFatal: true }));
    child.on("exit", (code, signal) => {
      resolve({
        how: signal === null ? `ended with code ${code}` : `was ended by ${signal}`,
        isFatal: false,
      });
    });
  });
}

function notStarted(error: unknown): string {
  return `cannot be started: ${codeOf(error) ?? "unknown error"}`;
}

function parse(line: Uint8Array): Input | undefined {
  const parsed = parseJson(decodeUtf8(line) ?? ""); // nested too deep, it is no answer either
  const value = parsed.ok ? parsed.value : undefined;
  return typeof value === "object" && value !== null ? value as Input : undefined;
}
