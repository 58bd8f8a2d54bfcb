/**
 * A peer that does what a test says, in the order it says.
 *
 * @module
 */
import { McpClient, McpError } from "../../src/mcp/mod.ts";
import type { ClientOptions, Members } from "../../src/mcp/mod.ts";
import type { Transport, TransportEvents } from "../../src/ports/mod.ts";
import { rejectionOf } from "../lib/thrown.ts";
import { FakeTimers, settle } from "../lib/timers.ts";

/** A peer without a process. */
export class FakePeer implements Transport {
  readonly label = "server";
  readonly pid = 7;
  /** What was asked of it besides writing, in order. */
  readonly asked: string[] = [];
  /** Lines it was sent. */
  readonly lines: string[] = [];
  /** Does it take what is written, refuse it, or let it wait? */
  taking: "at once" | "waits" | "broken" = "at once";
  /** Its standard error. */
  stderr = "";
  /** Is somebody of its group there? */
  hasHelpers = false;
  /** Stages that it ends at, as they are asked for. */
  endsAt: string[] = ["endInput", "terminate", "kill"];
  /** Is the start told at once? */
  startsAtOnce = true;
  readonly #waiting: ((failure?: unknown) => void)[] = [];
  events!: TransportEvents;
  hasExited = false;

  start(events: TransportEvents): void {
    this.events = events;
    this.asked.push("start");
    if (this.startsAtOnce) events.started();
  }

  write(bytes: Uint8Array, done: (failure?: unknown) => void): void {
    this.lines.push(new TextDecoder().decode(bytes));
    if (this.taking === "waits") this.#waiting.push(done);
    else done(this.taking === "broken" ? new Error("EPIPE") : undefined);
  }

  /** Takes what waits. */
  take(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  endInput(): void {
    this.#ask("endInput");
  }

  signal(how: "look" | "terminate" | "kill"): boolean {
    this.#ask(how);
    return this.hasHelpers || !this.hasExited;
  }

  release(): void {
    this.asked.push("release");
  }

  errorTail(): string {
    return this.stderr;
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (!this.hasExited && this.endsAt.includes(what)) this.exit();
  }

  /** Ends, with its output read to the end unless told otherwise. */
  exit(code: number | null = 0, signal: string | null = null, isDrained = true): void {
    this.hasExited = true;
    this.events.exited({ code, signal });
    if (isDrained) this.events.drained();
  }

  /** Writes lines in one chunk. */
  say(...messages: (Members | readonly unknown[] | string)[]): void {
    const text = messages.map((message) =>
      `${typeof message === "string" ? message : JSON.stringify(message)}\n`
    ).join("");
    this.events.received(new TextEncoder().encode(text));
  }

  /** Answers the request that was sent last. */
  answer(result: Members): void {
    this.say({ jsonrpc: "2.0", id: this.lastRequest()["id"], result });
  }

  /** The last line with an id, parsed. */
  lastRequest(): Members {
    return this.sent().filter((message) => Object.hasOwn(message, "id")).at(-1)!;
  }

  /** All lines, parsed. */
  sent(): Members[] {
    return this.lines.map((line) => JSON.parse(line) as Members);
  }
}

/** A client and what it talks to. */
export interface Rig {
  readonly client: McpClient;
  readonly peer: FakePeer;
  readonly timers: FakeTimers;
}

/** A client that was not started. */
export function makeRig(options: ClientOptions = {}): Rig {
  const peer = new FakePeer();
  const timers = new FakeTimers();
  return { client: new McpClient(peer, timers, options), peer, timers };
}

/** What a server says that offers everything. */
export const GREETING: Members = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: "fake", version: "1" },
};

/** A client that is initialized, with the lines so far forgotten. */
export async function makeReady(
  options: ClientOptions = {},
  greeting: Members = GREETING,
): Promise<Rig> {
  const rig = makeRig(options);
  const ready = rig.client.initialize();
  await settle();
  rig.peer.answer(greeting);
  await ready;
  rig.peer.lines.length = 0;
  return rig;
}

/** The code, details and finality of what a call is rejected with; fails when it is no McpError. */
export async function failureOf(call: Promise<unknown>): Promise<{
  code: string;
  details: Members;
  isTerminal: boolean;
}> {
  const error = await rejectionOf(call);
  if (!(error instanceof McpError)) throw new Error(`no McpError: ${String(error)}`);
  const { code, details, isTerminal } = error;
  return { code, details, isTerminal };
}
