/**
 * What results must look like, as far as callers rely on it. Members besides those named here are kept.
 *
 * Rule: `docs/spec/mcp-stdio.md`, "Results".
 *
 * @module
 */
import { formatPointer, isPlainObject } from "../core/mod.ts";
import type { Members } from "./jsonrpc.ts";

/** A tool as a server lists it. */
export interface ListedTool extends Members {
  /** Its name, which calls it. */
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Members;
  /** The server's own words, which nobody vouches for. */
  readonly description?: string;
}

/** What a tool answered. */
export interface ToolResult extends Members {
  /** Pieces of the answer: texts, images, links. */
  readonly content: readonly ContentPiece[];
  /** The answer as data. */
  readonly structuredContent?: Members;
  /** Did the tool fail? That is a normal answer. */
  readonly isError?: boolean;
}

/** A piece of an answer. */
export interface ContentPiece extends Members {
  /** Such as `text` or `image`, which says what the other members are. */
  readonly type: string;
}

/** What a server says of itself. */
export interface InitializeResult extends Members {
  /** The revision it chose. */
  readonly protocolVersion: string;
  /** What it offers: `tools`, `resources`, `prompts`, … */
  readonly capabilities: Members;
  /** Its name and version, which nobody vouches for. */
  readonly serverInfo: Members & { readonly name: string; readonly version: string };
  /** How it wants to be used. */
  readonly instructions?: string;
}

/** A resource as a server lists it. */
export interface ListedResource extends Members {
  /** Where it is. */
  readonly uri: string;
  /** What it is called. */
  readonly name: string;
}

/** A template of resources as a server lists it. */
export interface ListedTemplate extends Members {
  /** Template of their addresses (RFC 6570). */
  readonly uriTemplate: string;
  /** What it is called. */
  readonly name: string;
}

/** A prompt as a server lists it. */
export interface ListedPrompt extends Members {
  /** What it is called. */
  readonly name: string;
}

/** A page of a list. */
export interface Page extends Members {
  /** Where the next page begins; none follows without it. */
  readonly nextCursor?: string;
}

/** A page of tools. */
export interface ToolPage extends Page {
  /** The tools. */
  readonly tools: readonly ListedTool[];
}

/** A page of resources. */
export interface ResourcePage extends Page {
  /** The resources. */
  readonly resources: readonly ListedResource[];
}

/** A page of templates of resources. */
export interface TemplatePage extends Page {
  /** The templates. */
  readonly resourceTemplates: readonly ListedTemplate[];
}

/** A page of prompts. */
export interface PromptPage extends Page {
  /** The prompts. */
  readonly prompts: readonly ListedPrompt[];
}

/** What a resource holds. */
export interface ResourceResult extends Members {
  /** Its parts, each with `text` or `blob`. */
  readonly contents: readonly (Members & { readonly uri: string })[];
}

/** A prompt, filled in. */
export interface PromptResult extends Members {
  /** Its messages. */
  readonly messages: readonly (Members & { readonly role: string; readonly content: Members })[];
}

/** A test of a value: the place that is wrong, or nothing. */
type Shape = (value: unknown, path: Path) => Path | undefined;
type Path = readonly (string | number)[];

const text: Shape = (value, path) => typeof value === "string" ? undefined : path;
const flag: Shape = (value, path) => typeof value === "boolean" ? undefined : path;
const object: Shape = (value, path) => isPlainObject(value) ? undefined : path;

/** A list of what has a shape. */
function list(of: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return path;
    for (const [index, item] of value.entries()) {
      const wrong = of(item, [...path, index]);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** An object; a name that ends in `?` may be missing. */
function members(shapes: Readonly<Record<string, Shape>>): Shape {
  const wanted = Object.entries(shapes).map(([spelled, shape]) => ({
    name: spelled.replace(/\?$/, ""),
    isOptional: spelled.endsWith("?"),
    shape,
  }));
  return (value, path) => {
    if (!isPlainObject(value)) return path;
    for (const { name, isOptional, shape } of wanted) {
      const at = [...path, name];
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue;
        return at;
      }
      const wrong = shape((value as Members)[name], at);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

function page(name: string, item: Readonly<Record<string, Shape>>): Shape {
  return members({ [name]: list(members(item)), "nextCursor?": text });
}

const RESULTS: ReadonlyMap<string, Shape> = new Map([
  [
    "initialize",
    members({
      protocolVersion: text,
      capabilities: object,
      serverInfo: members({ name: text, version: text }),
      "instructions?": text,
    }),
  ],
  ["tools/list", page("tools", { name: text, inputSchema: object, "description?": text })],
  [
    "tools/call",
    members({
      content: list(members({ type: text })),
      "structuredContent?": object,
      "isError?": flag,
    }),
  ],
  ["resources/list", page("resources", { uri: text, name: text })],
  ["resources/templates/list", page("resourceTemplates", { uriTemplate: text, name: text })],
  ["resources/read", members({ contents: list(members({ uri: text })) })],
  ["prompts/list", page("prompts", { name: text })],
  ["prompts/get", members({ messages: list(members({ role: text, content: object })) })],
]);

/** JSON Pointer to the first place where the result of a method is not as callers rely on; `undefined` when it is. */
export function findShapeFault(method: string, result: unknown): string | undefined {
  const wrong = RESULTS.get(method)?.(result, []);
  return wrong && formatPointer(wrong);
}
