/**
 * A tree that does something else at the Nth call of the port, so that tests can walk through every point in time.
 *
 * @module
 */
import type { FileTree, TreeFile } from "../../src/ports/mod.ts";

/** A call: which tree it is on, what it does, and where. */
export interface Step {
  readonly root: string;
  readonly operation: string;
  readonly path: string;
}

/** The calls of one run, on any number of trees. */
export class Steps {
  readonly steps: Step[] = [];
  opened = 0;
  closed = 0;
  readonly #at: number;
  readonly #strike: (step: Step) => unknown;

  /** Before the call with this number, counted from 1, something happens; it may throw to fail the call. */
  constructor(at: number = Infinity, strike: (step: Step) => unknown = () => {}) {
    this.#at = at;
    this.#strike = strike;
  }

  /** Did it come to that call? */
  get isReached(): boolean {
    return this.steps.length >= this.#at;
  }

  /** The tree with its calls counted. */
  watch(tree: FileTree): FileTree {
    const call = <T>(operation: string, path: string, perform: () => T): T => {
      return this.#take({ root: tree.name, operation, path }, perform);
    };
    const file = async (path: string, open: () => TreeFile | Promise<TreeFile>) =>
      this.#watchFile(tree.name, path, await open());
    return {
      name: tree.name,
      label: tree.label,
      above: () => call("above", "", () => tree.above()),
      inspect: (path) => call("inspect", path, () => tree.inspect(path)),
      list: (path, most) => call("list", path, () => tree.list(path, most)),
      openRead: (path) => call("openRead", path, () => file(path, () => tree.openRead(path))),
      openNew: (path, mode) =>
        call("openNew", path, () => file(path, () => tree.openNew(path, mode))),
      makeDirectory: (path, mode) =>
        call("makeDirectory", path, () => tree.makeDirectory(path, mode)),
      setDirectoryMode: (path, mode) =>
        call("setDirectoryMode", path, () => tree.setDirectoryMode(path, mode)),
    };
  }

  /** The numbers of the first and the last of some calls about a path. */
  looksAt(root: string, path: string, operations: readonly string[]): [number, number] {
    const isLook = (step: Step): boolean =>
      step.root === root && step.path === path && operations.includes(step.operation);
    const numbers = this.steps.flatMap((step, index) => isLook(step) ? [index + 1] : []);
    return [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  }

  /** The number of the last call on a tree. */
  lastOn(root: string): number {
    return this.steps.map((step) => step.root).lastIndexOf(root) + 1;
  }

  #watchFile(root: string, path: string, file: TreeFile): TreeFile {
    this.opened++;
    const call = <T>(operation: string, perform: () => T): T =>
      this.#take({ root, operation, path }, perform);
    return {
      inspect: () => call("fstat", () => file.inspect()),
      read: (into) => call("read", () => file.read(into)),
      write: (bytes) => call("write", () => file.write(bytes)),
      setMode: (mode) => call("fchmod", () => file.setMode(mode)),
      close: () => {
        this.closed++;
        return call("close", () => file.close());
      },
    };
  }

  #take<T>(step: Step, perform: () => T): T {
    this.steps.push(step);
    if (this.steps.length === this.#at) this.#strike(step);
    return perform();
  }
}
