/**
 * Stores of fixtures by path, for Node, Deno and Bun.
 *
 * @module
 */
import { readdir } from "node:fs/promises";
import type { FixtureStore } from "../ports/mod.ts";
import { fixturesIn } from "../replay/mod.ts";
import type { StoreEnvironment } from "../store/mod.ts";
import { attempt, directoryAt } from "./directory.ts";
import { systemEnvironment } from "./environment.ts";

/** The store in the directory at a path, as it is: nothing is made. */
export function fixtureStoreAt(
  path: string,
  { randomBytes }: Pick<StoreEnvironment, "randomBytes"> = systemEnvironment(),
): FixtureStore {
  const directory = directoryAt(path);
  const list = (): Promise<string[]> =>
    attempt("readdir", "the directory", () => readdir(directory.label));
  return fixturesIn(directory, list, randomBytes);
}

/** The store in the directory at a path, which is made with its parents. @throws {IoError} with the system's code. */
export async function openFixtureStore(
  path: string,
  environment: Pick<StoreEnvironment, "randomBytes"> = systemEnvironment(),
): Promise<FixtureStore> {
  await directoryAt(path).make();
  return fixtureStoreAt(path, environment);
}
