/**
 * Runs a verification in a worker, or in slices on the page's own thread where no worker can start. Both run the same
 * code; a worker only keeps the page free of pauses.
 *
 * @module
 */
import { loadSha256 } from "../hash/mod.ts";
import type { Block } from "./entry_index.ts";
import { Cancelled, verifyEvidence } from "./verify.ts";
import type { Evidence, Outcome, Progress } from "./verify.ts";

/** Who hears of a run. */
export interface Listener {
  readonly onProgress: (progress: Progress) => void;
  readonly onBlock: (block: Block) => void;
}

/** How a run ended, and what it ran in. */
export interface Run {
  readonly outcome: Outcome;
  readonly place: "worker" | "page";
}

/** What a worker says. */
type Message =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "block"; readonly block: Block }
  | { readonly type: "done"; readonly outcome: Outcome }
  | { readonly type: "failed"; readonly message: string };

/** A worker's own end: as much of it as is used here. */
interface WorkerEnd {
  postMessage(message: Message, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Evidence>) => void): void;
}

const MB = 1 << 20;
const PAGE_PIECE_BYTES = 64 * 1024; // a slice of about 2 ms, and of 10 ms without WebAssembly (measured)
const START_MS = 10_000; // a browser that forbids workers says so at once; this is for one that says nothing

/** Is this script running as the worker? */
export function isWorker(): boolean {
  return typeof document === "undefined";
}

/** Answers the page: one verification a worker. */
export function serve(): void {
  const end = globalThis as unknown as WorkerEnd;
  end.addEventListener("message", ({ data }) => {
    answer(data, end).catch((error: unknown) =>
      end.postMessage({ type: "failed", message: String(error) })
    );
  });
  end.postMessage({ type: "ready" });
}

async function answer(evidence: Evidence, end: WorkerEnd): Promise<void> {
  const outcome = await verifyEvidence(evidence, await loadSha256(), {
    pieceBytes: MB,
    onProgress: (progress) => end.postMessage({ type: "progress", progress }),
    onBlock: (block) => {
      const { starts, sorts, kinds } = block;
      end.postMessage({ type: "block", block }, [starts.buffer, sorts.buffer, kinds.buffer]);
    },
  });
  end.postMessage({ type: "done", outcome });
}

/**
 * Verifies evidence in a worker made from this page's own script, or here.
 *
 * @param script the text of the page's script.
 * @throws {Cancelled} when the signal is aborted.
 */
export async function runVerification(
  evidence: Evidence,
  script: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<Run> {
  const worker = await startWorker(script, signal);
  if (signal.aborted) worker?.terminate();
  signal.throwIfAborted();
  if (worker !== null) {
    return { outcome: await ask(worker, evidence, listener, signal), place: "worker" };
  }
  const hooks = { ...listener, signal, pieceBytes: PAGE_PIECE_BYTES };
  return { outcome: await verifyEvidence(evidence, await loadSha256(), hooks), place: "page" };
}

/** A worker that has said that it is ready; `null` when policy or place forbid one, or nobody waits for it any more. */
async function startWorker(script: string, signal: AbortSignal): Promise<Worker | null> {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  let worker: Worker | undefined;
  try {
    const started = worker = new Worker(address);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("No answer")), START_MS);
      signal.addEventListener("abort", () => reject(new Cancelled()), { once: true });
      started.onmessage = () => {
        clearTimeout(timer);
        resolve();
      };
      started.onerror = (event) => {
        event.preventDefault();
        clearTimeout(timer);
        reject(new Error("The worker did not start"));
      };
    });
    return started;
  } catch {
    worker?.terminate();
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function ask(
  worker: Worker,
  evidence: Evidence,
  listener: Listener,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Cancelled()), { once: true });
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.type === "progress") listener.onProgress(data.progress);
        else if (data.type === "block") listener.onBlock(data.block);
        else if (data.type === "done") resolve(data.outcome);
        else if (data.type === "failed") reject(new Error(data.message));
      };
      worker.postMessage(evidence);
    });
  } finally {
    worker.terminate();
  }
}
