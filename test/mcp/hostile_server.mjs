/**
 * An MCP server that does one thing wrong: `node hostile_server.mjs MODE [LOG]`. Whatever a mode does not name it does
 * well. Nothing here waits for a time to pass: what must come later is sent when the client asks for it, by the
 * notification `test/more`. LOG is a file that gets a line for each thing that befell the process.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { appendFileSync, closeSync } from "node:fs";
import process from "node:process";

const [mode = "", log] = process.argv.slice(2);

/** A test that lost its server leaves none behind for long. */
setTimeout(() => process.exit(99), 60_000);

/** Processes that this one started. */
const helpers = [];

// Writing

/** Writes, and calls back once the system has taken it all; an exit before that would cut it off. */
function write(data, then) {
  process.stdout.write(data, then);
}

const lineOf = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const send = (message) => write(lineOf(message));
const notify = (method, params = {}) => send({ method, params });
const contentOf = (text) => ({ content: [{ type: "text", text }] });
const answerOf = (id, text) => lineOf({ id, result: contentOf(text) });
const answer = (id, text) => write(answerOf(id, text));
const echo = ({ id, params }) => answer(id, params.arguments.text);

/** What is sent by and by, a piece for each `test/more`. */
let pieces = [];

const sendPiece = () => write(pieces.shift() ?? "");

/** Sends the first bytes of a line and says so in front of it; the rest when it is asked for. */
function cutAt(line, at) {
  const bytes = Buffer.from(line);
  pieces = [bytes.subarray(at)];
  write(Buffer.concat([Buffer.from(lineOf({ method: "test/cut" })), bytes.subarray(0, at)]));
}

function note(what) {
  if (log !== undefined) appendFileSync(log, `${what}\n`);
}

// Doing well

function initialize({ id, params: { protocolVersion } }, more = {}) {
  const serverInfo = { name: "hostile", version: "1", helpers };
  const capabilities = { tools: {} };
  send({ id, result: { protocolVersion, capabilities, serverInfo, ...more } });
}

const wellBehaved = {
  "initialize": (message) => initialize(message),
  "ping": ({ id }) => send({ id, result: {} }),
  "tools/list": ({ id }) => send({ id, result: { tools: [] } }),
  "tools/call": echo,
  "end": () => process.exit(0),
};

// Doing wrong

/** Answers several calls at once, when as many of them have come. */
function gather(count, answerAll) {
  const calls = [];
  return (message) => {
    calls.push(message);
    if (calls.length === count) answerAll(calls);
  };
}

const textOf = ({ id, params }) => answerOf(id, params.arguments.text);

/** A line of that many bytes that answers a call. */
function answerOfLength(id, length) {
  return answerOf(id, "x".repeat(length + 1 - answerOf(id, "").length));
}

/** Sends a request of its own when the client asks for something, and answers that with what it got. */
function askBack(method, event, reply) {
  let asked;
  return {
    [event]: (message) => {
      asked = message;
      send({ id: "of the server", method });
    },
    "response": (response) => reply(asked, JSON.stringify(response)),
  };
}

/** Starts a helper that holds the pipes of this process, and calls back once it is ready. */
function startHelper(code, detached, ready) {
  const wait = `process.send(0); process.disconnect(); setTimeout(() => {}, 60_000)`;
  const stdio = ["ignore", "inherit", "inherit", "ipc"];
  const helper = spawn(process.execPath, ["-e", `${code}; ${wait}`], { stdio, detached });
  helpers.push(helper.pid);
  helper.unref();
  helper.once("message", ready);
}

const IGNORE_SIGTERM = 'process.on("SIGTERM", () => {})';
const withHelper = (code, detached = false) => ({
  "initialize": (message) => startHelper(code, detached, () => initialize(message)),
});

const blankLines = (text) => `\n\r\n${text}\n\n\r\n`;

/** The tool "wait" is never answered, so that a call is open whatever becomes of the other one. */
const call = (run) => ({
  "tools/call": (message) => message.params.name === "wait" || run(message),
});
const raw = (line) => call(() => write(line));

const modes = {
  "well behaved": {},
  "fragmented": { ...call(({ id }) => cutAt(answerOf(id, "whole"), 12)), "test/more": sendPiece },
  "split character": {
    ...call(({ id }) => {
      const line = answerOf(id, "a €");
      cutAt(line, Buffer.from(line).indexOf("€") + 1);
    }),
    "test/more": sendPiece,
  },
  "slow drip": {
    ...call(({ id }) => {
      const line = answerOf(id, "y".repeat(100_000));
      pieces = line.match(/[^]{1,500}/g);
      notify("test/dripping", { pieces: pieces.length });
    }),
    "test/more": sendPiece,
  },
  "many in one write": call(gather(5, (calls) => {
    const between = lineOf({ method: "test/between" });
    write(calls.map((message) => textOf(message) + between).join(""));
  })),
  "crlf": call((message) => write(textOf(message).replace("\n", "\r\n"))),
  "line separator": call(({ id }) => answer(id, "a\u2028b\u2029c\u0085d")),
  "blank lines": call((message) => write(blankLines(textOf(message)))),
  "backwards": call(gather(3, (calls) => write(calls.reverse().map(textOf).join("")))),
  "twice": call((message) => write(textOf(message) + textOf(message))),
  "unknown id": call(() => answer(999, "?")),
  "text id": call(({ id }) => answer(String(id), "?")),
  "late": {
    ...call(() => {}),
    "notifications/cancelled": ({ params }) => answer(params.requestId, "late"),
  },
  "error without id": raw(lineOf({ error: { code: -32700, message: "what?" } })),
  "batch": call((message) => {
    const asked = lineOf({ id: "of the server", method: "ping" });
    const items = [lineOf({ method: "test/batched" }), asked, textOf(message)];
    write(`[${items.map((item) => item.trimEnd()).join()}]\n`);
  }),
  "null result": call(({ id }) => send({ id, result: null })),
  "no json": call((message) => write(`listening on port 1\n${textOf(message)}`)),
  "invalid utf-8": call(({ id }) => {
    write(Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"a":"`), NOT_UTF8]));
  }),
  "longest line": call(({ id }) => write(answerOfLength(id, 4_194_304))),
  "long line": call(({ id }) => write(answerOfLength(id, 4_194_305))),
  "endless line": call(({ id }) => write(answerOfLength(id, 4_194_305).trimEnd())),
  "stderr flood": call((message) => {
    if (message.params.name === "exit") process.exit(7);
    process.stderr.write(`first line\n${"z".repeat(262_144)}the end\n`, () => echo(message));
  }),
  "stderr then exit": call(() => {
    process.stderr.write(`${"z".repeat(100_000)}password is swordfish\n`, () => process.exit(3));
  }),
  "exit": call(() => process.exit(4)),
  "killed": call(() => process.kill(process.pid, "SIGKILL")),
  "answer then exit": call(({ id }) => {
    write(answerOfLength(id, 4_000_000), () => process.exit(5));
  }),
  "closed stdin": {
    ...call((message) => {
      process.stdin.destroy();
      closeSync(0); // what was destroyed leaves the descriptor open
      echo(message);
    }),
    "end": () => {},
  },
  "closed stdout": call(() => closeSync(1)),
  "ignores end": { "end": () => {}, "SIGTERM": () => process.exit(0) },
  "ignores sigterm": { "end": () => {}, "SIGTERM": () => {} },
  "garbage, ignores sigterm": { ...raw("garbage\n"), "end": () => {}, "SIGTERM": () => {} },
  "helper": withHelper(""),
  "helper out of reach": withHelper("", true),
  "stubborn helper": withHelper(IGNORE_SIGTERM),
  "stubborn helper, exit": { ...withHelper(IGNORE_SIGTERM), ...call(() => process.exit(6)) },
  "late initialize": {
    "initialize": (message) => {
      process.once("SIGTERM", () => {
        initialize(message);
        process.exit(0);
      });
    },
  },
  "unknown version": {
    "initialize": (message) => initialize(message, { protocolVersion: "1900-01-01" }),
  },
  "ping first": askBack("ping", "initialize", (message, instructions) => {
    initialize(message, { instructions });
  }),
  "unknown request": askBack("roots/list", "tools/call", ({ id }, text) => answer(id, text)),
  "notification flood": call((message) => {
    const flood = Array.from({ length: 20_000 }, (_, count) => {
      return lineOf({ method: "test/flood", params: { count } });
    });
    write(flood.join("") + textOf(message));
  }),
  "reads nothing": { "notifications/initialized": () => process.stdin.pause() },
  "started with": call(({ id }) => {
    answer(id, JSON.stringify({ args: process.argv.slice(3), cwd: process.cwd() }));
  }),
  "environment": call(({ id }) => answer(id, JSON.stringify(process.env))),
};

const NOT_UTF8 = Buffer.from([0xff, 0x22, 0x7d, 0x7d, 0x0a]);

// Running

const behaviour = { ...wellBehaved, ...modes[mode] };
if (!Object.hasOwn(modes, mode)) throw new Error(`Starting the hostile server: no mode "${mode}"`);

function take(message) {
  const run = behaviour[message.method ?? "response"];
  run?.(message);
}

let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (unfinished + chunk).split("\n");
  unfinished = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});
process.stdin.on("end", () => {
  note("end of input");
  behaviour.end();
});
if (behaviour.SIGTERM !== undefined) {
  process.on("SIGTERM", () => {
    note("SIGTERM");
    behaviour.SIGTERM();
  });
}
