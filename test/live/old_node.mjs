/**
 * Loaded before the conformance program in Node 20, which lacks `globSync` of `fs`: the program imports it by name, so it
 * would not even start, and calls it nowhere in a scenario of a client.
 */
import { register } from "node:module";

const script = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const fs = script(
  'export * from "node:fs"; export const globSync = undefined;',
);
register(script(`export const resolve = (name, context, next) =>
  name === "fs" ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(name, context);`));
