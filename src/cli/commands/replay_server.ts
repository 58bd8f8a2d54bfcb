/**
 * `affidavit replay-server`: an MCP server on standard input and output that answers from fixtures alone.
 *
 * @module
 */
import { isEffectClass, rankOf } from "../../capsule/mod.ts";
import { Framer, withLineFeed } from "../../mcp/mod.ts";
import { fixtureStoreAt, nativeSha256 } from "../../node/mod.ts";
import { ReplayServer } from "../../recording/mod.ts";
import type { ReplayReport } from "../../recording/mod.ts";
import { parseArguments, takePositionals } from "../args.ts";
import { RefusedError } from "../errors.ts";
import { COMMON_OF_SERVERS } from "../help.ts";
import type { Io } from "../io.ts";
import { showReport } from "../output.ts";
import type { Line } from "../output.ts";
import { MAX_FRAME_BYTES } from "../server.ts";
import { numberOf } from "./replay_list.ts";

const help = `affidavit replay-server --fixtures DIR: serves recorded tool calls over MCP

Give this command to an MCP client in the place of a server that was recorded
with "affidavit record". It answers from DIR and starts nothing: each recorded
answer once, identical calls in the order in which they were recorded, byte for
byte. It refuses a call that was not recorded, or not that often; an answer that
was edited; and a tool above the ceiling.

  --fixtures DIR      what was recorded
  --max-effect CLASS  the highest effect class that is served: SE0, SE1 or SE2
                      (SE2 unless given). SE3 and SE4 are never replayed, and a
                      tool that the policy did not name was recorded as SE4

When the client is done, a summary is printed on standard error: what was
served, what was refused, and which answers nobody asked for. The exit code is 1
when a call was refused. Standard output belongs to the protocol.
${COMMON_OF_SERVERS}
Example: affidavit replay-server --fixtures fixtures --max-effect SE1
`;

/** Most unused answers that are named. */
const MAX_NAMED = 20;

/** Serves until the client is done. */
export async function replayServer(args: readonly string[], io: Io): Promise<number> {
  const flags = { fixtures: "value", "max-effect": "value" } as const;
  const given = parseArguments(args, { help, flags });
  takePositionals(given);
  const fixtures = given.value("fixtures");
  if (fixtures === undefined) throw given.usage("--fixtures is missing");
  const maxEffect = given.value("max-effect") ?? "SE2";
  if (!isEffectClass(maxEffect) || rankOf(maxEffect) > rankOf("SE2")) {
    throw given.usage("--max-effect takes SE0, SE1 or SE2");
  }
  const { writeBytes } = io;
  if (writeBytes === undefined) throw new TypeError("replay-server needs an Io with writeBytes");

  const store = fixtureStoreAt(fixtures);
  await store.list(); // a directory that is not there is found out before a client waits
  const server = new ReplayServer({
    store,
    sha256: nativeSha256(),
    maxEffect,
    maxFrameBytes: MAX_FRAME_BYTES,
  });
  const lines: Uint8Array[] = [];
  const framer = new Framer(MAX_FRAME_BYTES, (line) => lines.push(line.slice()) > 0);
  for await (const chunk of io.stdin) {
    const isWithin = framer.push(chunk);
    for (const line of lines.splice(0)) {
      for (const answer of await server.handle(line)) await writeBytes(withLineFeed(answer));
    }
    if (isWithin) continue;
    const message = `Serving: a line of the client is longer than ${MAX_FRAME_BYTES} bytes`;
    throw new RefusedError("MCP_PROTOCOL_ERROR", message);
  }
  const report = await server.report();
  showReport(io, given.isJson, { replayed: report }, () => linesOf(report));
  return report.refused.length === 0 ? 0 : 1;
}

function linesOf({ served, refused, unused }: ReplayReport): Line[] {
  const more = unused.length - MAX_NAMED;
  return [
    `affidavit: served ${numberOf(served, "recorded answer")}`,
    ...refused.map(({ tool, code, count }) =>
      `affidavit: refused ${numberOf(count, "call")} of ${tool}: ${code}`
    ),
    ...unused.slice(0, MAX_NAMED).map(({ tool, args_hash, occurrence }) =>
      `affidavit: never served: ${tool ?? "a damaged answer"}, ` +
      `arguments ${args_hash ?? "unknown"}, answer ${occurrence}`
    ),
    ...(more > 0 ? [`affidavit: and ${more} more that were never served`] : []),
  ];
}
