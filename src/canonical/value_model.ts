/**
 * JSON values without loss: numbers keep the text they were written as, objects are maps, so that `1.0` is not `1`, an
 * integer of any size stays what it is, and `__proto__` is a name like any other.
 *
 * @module
 */

/** A number as it was written. */
export class JsonNumber {
  /** The text: JSON's number grammar, or one of `NaN`, `Infinity`, `-Infinity` where a format lets them in. */
  readonly lexeme: string;

  /** @internal */
  constructor(lexeme: string) {
    this.lexeme = lexeme;
  }

  /** Is it written as an integer: without fraction and exponent? */
  get isInteger(): boolean {
    return /^-?[0-9]+$/.test(this.lexeme);
  }

  /** The integer, exactly. @throws {RangeError} when it is not written as one. */
  toBigInt(): bigint {
    if (!this.isInteger) throw new RangeError("A number with fraction or exponent is no integer");
    return BigInt(this.lexeme);
  }

  /** The nearest double; infinite when it is beyond all doubles. */
  toNumber(): number {
    return Number(this.lexeme);
  }
}

/** A JSON value without loss. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;

/** A JSON object: its members in the order of the text, the last of a repeated name where a format allows that. */
export type JsonObject = Map<string, JsonValue>;

/** The plain value: numbers as doubles, objects as plain objects. This is where precision is lost on purpose. */
export function toPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.toNumber();
  if (Array.isArray(value)) return value.map(toPlain);
  if (!(value instanceof Map)) return value;
  // Object.fromEntries defines members rather than assigning them, so "__proto__" stays data.
  return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
}
