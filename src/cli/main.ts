#!/usr/bin/env node
/**
 * The program: connects this process to the command line.
 *
 * @module
 */
import process from "node:process";
import { run } from "./mod.ts";
import type { Io, Output } from "./io.ts";

// A reader that went away (`affidavit … | head`) is no failure of the command, which goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    if (stream !== process.stderr) {
      process.stderr.write(`affidavit: ${error.code}: Writing the output failed\n`);
    }
    process.exit(1);
  });
}

/** Done when all is written. An empty write at the end would not do: Bun calls back before earlier ones are out. */
const lastWrites = new Map<NodeJS.WriteStream, Promise<void>>();

let isStdinOpen = false;
const io: Io = {
  stdout: outputTo(process.stdout),
  stderr: outputTo(process.stderr),
  get stdin() {
    isStdinOpen = true; // only by a command that reads it
    return process.stdin;
  },
  writeBytes: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (failure) => failure ? reject(failure) : resolve());
    }),
  useColour: wantsColour(),
};

process.exitCode = await run(process.argv.slice(2), io);
if (isStdinOpen) {
  // A command that stopped early leaves a read pending, and Deno would wait for it as long as the writer lives.
  await Promise.all(lastWrites.values());
  process.exit();
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    write(text) {
      lastWrites.set(stream, new Promise((resolve) => stream.write(text, () => resolve())));
    },
    isTerminal: stream.isTTY === true,
  };
}

function wantsColour(): boolean {
  const { NO_COLOR, TERM } = process.env; // https://no-color.org
  return process.stdout.isTTY === true && !NO_COLOR && TERM !== "dumb";
}
