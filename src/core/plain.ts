/**
 * Looking at a value without running any of its code, a Proxy's traps aside.
 *
 * @module
 */

/** Is this an object made by `{}` or without a prototype? Arrays and class instances are not. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The own members of an object in their order; `undefined` when one is an accessor, hidden or named by a symbol.
 *
 * @param except names that are passed over, such as the `length` of a list.
 */
export function ownData(
  value: object,
  except: readonly string[] = [],
): [string, unknown][] | undefined {
  const members: [string, unknown][] = [];
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "string" && except.includes(key)) continue;
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (
      typeof key === "symbol" || property === undefined || !property.enumerable ||
      !("value" in property)
    ) {
      return undefined;
    }
    members.push([key, property.value]);
  }
  return members;
}
