/**
 * The official client over standard input and output, as far as it is used here.
 *
 * @module
 */
import { importSdk } from "./packages.ts";

/** What the official client is told of a server. */
export interface SdkServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where standard error goes: `pipe` keeps it, and is `inherit` unless told. */
  readonly stderr?: "pipe" | "ignore";
}

/** A result of the official client. */
export interface SdkResult {
  readonly content: unknown;
  readonly isError?: boolean;
}

/** The official client. */
export interface SdkClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<SdkResult>;
  getServerVersion(): unknown;
  close(): Promise<void>;
}

/** Makes an official client. */
export async function makeSdkClient(): Promise<SdkClient> {
  const { Client } = await importSdk<{
    Client: new (info: { name: string; version: string }) => SdkClient;
  }>("client/index.js");
  return new Client({ name: "official", version: "1" });
}

/** Makes an official transport, which starts a process once its client connects. */
export async function makeSdkTransport(server: SdkServer): Promise<object> {
  const { StdioClientTransport } = await importSdk<{
    StdioClientTransport: new (server: SdkServer) => object;
  }>("client/stdio.js");
  return new StdioClientTransport(server);
}
