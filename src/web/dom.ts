/**
 * Makes elements. Text only ever becomes text: nothing here, or anywhere in the page, parses markup.
 *
 * @module
 */
import { shorten } from "./text.ts";
import { WORDS } from "./words.ts";

/** What an element may hold; what is missing is left out. */
export type Child = Node | string | null | undefined | false;

/** Attributes by name; `true` stands alone, `false` and `undefined` are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter(isThere));
  return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter(isThere));
}

/** A button. */
export function button(
  label: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * A text from a file. It is cut to a bound, its unsafe characters are visible escapes, and its direction cannot reach the
 * text around it.
 */
export function foreign(text: string, most = 300, tag: "bdi" | "code" = "bdi"): HTMLElement {
  const short = shorten(text, most);
  const element = el(tag, { class: "foreign", dir: tag === "code" ? "ltr" : "auto" }, short.text);
  if (short.cut > 0) element.append(el("span", { class: "cut" }, WORDS.cutCharacters(short.cut)));
  return element;
}

function isThere(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}
