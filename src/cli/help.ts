/**
 * Help of the program as a whole and of its groups. A command keeps its own help beside its code.
 *
 * @module
 */

/** What every command ends its help with. */
export const COMMON = `
Also: --json   print JSON, and errors as one line of JSON; JSON is printed
               anyway when standard output is no terminal
      --help   show this
Exit codes: 0 it holds or is done, 1 it is refused, 2 the arguments are wrong
`;

/** Flags and exit codes of the commands whose standard output belongs to a protocol. */
export const COMMON_OF_SERVERS = `
Also: --json   print the summary as one line of JSON, and errors too
      --help   show this
Exit codes: 0 it is done, 1 it is refused or failed, 2 the arguments are wrong
`;

/** Help of the program. */
export const PROGRAM_HELP: string = `affidavit: records what an agent did, and verifies such records

  capsule create DIR                  start a record (a capsule)
  capsule append DIR LINEAGE KIND     add an entry; DIR - reads entries from standard input
  capsule verify DIR                  is the record consistent?
  capsule project DIR                 write and print its summary (projection.json)
  capsule export DIR OUT              copy it as a bundle for somebody else
  capsule group DIR...                count several runs of one task family
  receipt build DIR                   state where the record stands, and which artifact came of it
  receipt verify RECEIPT DIR          check such a statement against the record
  replay list|verify|diff DIR         look at recorded answers of tools
  record ... -- SERVER                record the tool calls of an MCP client
  replay-server --fixtures DIR        serve recorded tool calls over MCP
  mcp list|call|ping -- SERVER        look at an MCP server
  deliverable seal|verify             seal what a run delivers; check what was sealed
  evaluation sign|accept              sign an evaluation receipt; accept one on your terms
  score RECEIPT SPEC METRIC RAW       accept an evaluation and score it
  verify PATH...                      find out what each path is, and verify it
  page --out FILE                     write the page that verifies a receipt in a browser
  gate inspect DIR                    look at a candidate, without running it
  gate run CANDIDATE                  always refuses: nothing is ever executed
  identity derive|check|resume        make and check identity records
  conformance run|serve               try an implementation against the vectors; answer their protocol
  example                             all of this as a story, in a temporary directory

Help on one of them: affidavit capsule append --help
Version: affidavit --version
${COMMON}
Example: affidavit verify bundle receipt.json --artifact totals.csv
`;

/** Help of the group. */
export const CAPSULE_HELP: string =
  `affidavit capsule ACTION DIR: keeps a record of a run in a directory

  create DIR                  start a capsule
  append DIR LINEAGE KIND     add an entry
  append DIR -                add entries from standard input, one JSON object a line
  verify DIR                  is the capsule consistent?
  project DIR                 write and print its projection.json
  export DIR OUT              copy it as a bundle of three files
  group DIR...                count several runs of one task family
${COMMON}
Example: affidavit capsule create run --harness my-agent/1.4 --task-family invoices
`;

/** Help of the group. */
export const RECEIPT_HELP: string =
  `affidavit receipt ACTION: states where a capsule stands, or checks it

  build DIR [--artifact F] [--gate F] [--out F] [--sign-key F]
                                      make a receipt for a capsule
  verify RECEIPT DIR [--artifact F] [--gate F] [--public-key F]
                                      check a receipt against a capsule

Flags come after the paths.
${COMMON}
Example: affidavit receipt verify receipt.json bundle --artifact totals.csv
`;

/** Help of the group. */
export const GATE_HELP: string = `affidavit gate ACTION: looks at a candidate, and never runs it

  inspect DIR [--taskset F]   print its digest, entry, class and tripwires
  run CANDIDATE               refuses with gate.isolation_required

Running a candidate needs an isolation that this program does not have, so
whatever follows "run" is refused, unread.
${COMMON}
Example: affidavit gate inspect candidate
`;

/** Help of the group. */
export const REPLAY_HELP: string =
  `affidavit replay ACTION DIR: looks at a directory of recorded answers (fixtures)

  list DIR                    which calls are recorded?
  verify DIR                  do the hashes of every fixture hold?
  diff DIR A B                how do two recorded calls differ?
  diff DIR TOOL --args JSON   which recorded call is nearest to this one?

Nothing is written or executed. Tools of an MCP server are recorded and replayed
by "affidavit record" and "affidavit replay-server", other tools by a program:
see createReplayer of affidavit/replay.
${COMMON}
Example: affidavit replay verify fixtures
`;

/** Help of the group. */
export const MCP_HELP: string =
  `affidavit mcp ACTION -- SERVER ARGS...: looks at an MCP server over stdio

  list                        which tools does it have?
  call TOOL [--args JSON]     call one
  ping                        does it answer?

The server is started for this, without a shell, and ended afterwards. Flags
come before the --.
${COMMON}
Example: affidavit mcp list -- npx -y @modelcontextprotocol/server-everything stdio
`;
