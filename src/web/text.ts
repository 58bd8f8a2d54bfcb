/**
 * Texts of files as they may be shown: short, and with nothing that could hide or reorder what stands there.
 *
 * @module
 */
import { escapeText } from "../core/mod.ts";

/** The start of a text, escaped, and how many characters were left out. */
export function shorten(
  text: string,
  most: number,
): { readonly text: string; readonly cut: number } {
  const cut = Math.max(0, text.length - most);
  return { text: escapeText(text.slice(0, most)), cut };
}

/** A number with its thousands set apart. */
export function formatCount(number: number): string {
  return number.toLocaleString("en");
}

/** A size in the unit that suits it. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 999.5 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return unit === 0 ? `${bytes} bytes` : `${bytes.toPrecision(3)} ${units[unit]}`;
}
