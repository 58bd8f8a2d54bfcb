/**
 * Reading the `input` of a request, whose members come from a vector file and are not trusted to have any shape.
 *
 * @module
 */

/** The members of a request's `input`. */
export type Input = Readonly<Record<string, unknown>>;

/** The members of an answer's `output`. */
export type Output = Readonly<Record<string, unknown>>;

/** An input that is not shaped as its operation wants it: a fault of the case, not of what the case is about. */
export class InputError extends Error {
  constructor(name: string, wanted: string) {
    super(`Reading the input: "${name}" must be ${wanted}`);
    this.name = "InputError";
  }
}

/** Is this a JSON object, rather than a list, `null` or a scalar? */
export function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that must be text. */
export function readText(input: Input, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new InputError(name, "text");
  return value;
}

/** A member that must be a list. */
export function readList(input: Input, name: string): readonly unknown[] {
  const value = input[name];
  if (!Array.isArray(value)) throw new InputError(name, "a list");
  return value;
}

/** A member that must be an object. */
export function readObject(input: Input, name: string): Input {
  const value = input[name];
  if (!isObject(value)) throw new InputError(name, "an object");
  return value;
}

/** A member that must be a list of objects. */
export function readObjects(input: Input, name: string): readonly Input[] {
  return readList(input, name).map((item) => {
    if (!isObject(item)) throw new InputError(name, "a list of objects");
    return item;
  });
}
