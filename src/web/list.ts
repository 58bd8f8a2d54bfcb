/**
 * A list of any length that holds only the rows that can be seen. Past the height that browsers can lay out, the scroll
 * bar stands for the list as a whole, and wheel and keys still move by rows.
 *
 * @module
 */
import { el, fill } from "./dom.ts";

/** What a list shows, and who hears of it. */
export interface ListOptions {
  /** What it is called. */
  readonly label: string;
  /** Id of the text that says how it is used. */
  readonly describedBy: string;
  /** Makes the content of a row. */
  readonly renderRow: (position: number) => HTMLElement;
  /** Called when rows came into sight. */
  readonly onSeen: (first: number, last: number) => void;
  /** Called when a row is chosen, by Enter or else by a click. */
  readonly onOpen: (position: number, isByKey: boolean) => void;
}

/** Browsers stop somewhere past 16 million pixels (Firefox is the first). */
const MOST_HEIGHT = 8_000_000;
const MORE_ROWS = 4; // above and below what is seen

/** The list. */
export class VirtualList {
  /** The element to put into the page. */
  readonly element: HTMLDivElement;
  readonly #spacer: HTMLDivElement;
  readonly #window: HTMLDivElement;
  readonly #options: ListOptions;
  #count = 0;
  #active = 0;
  /** The row at the upper edge; a fraction of it may be out of sight. */
  #top = 0;
  #rowHeight = 0;
  #setScroll = 0;

  /** An empty list. */
  constructor(options: ListOptions) {
    this.#options = options;
    this.#window = el("div", { class: "rows", role: "presentation" });
    this.#spacer = el("div", { class: "spacer", role: "presentation" }, this.#window);
    this.element = el("div", {
      class: "list",
      role: "listbox",
      tabindex: 0,
      "aria-label": options.label,
      "aria-describedby": options.describedBy,
    }, this.#spacer);
    this.element.addEventListener("scroll", () => this.#takeScroll());
    this.element.addEventListener("wheel", (event) => this.#takeWheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.#takeKey(event));
    this.element.addEventListener("click", (event) => this.#takeClick(event));
    new ResizeObserver(() => this.#layOut()).observe(this.element);
  }

  /** Shows so many rows, from the first one on. */
  setCount(count: number): void {
    this.#count = count;
    this.#active = 0;
    this.#top = 0;
    this.#layOut();
  }

  /** Draws the rows anew. */
  refresh(): void {
    this.#draw();
  }

  /** Makes a row the active one, in the middle of the list. */
  goTo(position: number): void {
    this.#active = Math.max(0, Math.min(this.#count - 1, position));
    this.#moveTo(this.#active - this.#rowsInSight() / 2);
  }

  #layOut(): void {
    this.#rowHeight = parseFloat(getComputedStyle(this.#window).getPropertyValue("line-height")) ||
      36;
    const height = Math.min(this.#count * this.#rowHeight, MOST_HEIGHT);
    this.#spacer.style.height = `${height}px`;
    this.element.style.height = `${height + 2}px`; // with its border; the style sheet bounds it
    this.#moveTo(this.#top);
  }

  #rowsInSight(): number {
    return this.element.clientHeight / this.#rowHeight;
  }

  #lastTop(): number {
    return Math.max(0, this.#count - this.#rowsInSight());
  }

  #lastScroll(): number {
    return Math.max(1, this.element.scrollHeight - this.element.clientHeight);
  }

  #isScaled(): boolean {
    return this.#count * this.#rowHeight > MOST_HEIGHT;
  }

  #moveTo(top: number): void {
    this.#top = Math.max(0, Math.min(this.#lastTop(), top));
    const share = this.#top / Math.max(1e-9, this.#lastTop());
    this.element.scrollTop = this.#isScaled()
      ? share * this.#lastScroll()
      : this.#top * this.#rowHeight;
    this.#setScroll = this.element.scrollTop;
    this.#draw();
  }

  #takeScroll(): void {
    const { scrollTop } = this.element;
    if (scrollTop === this.#setScroll) return; // our own doing
    this.#setScroll = scrollTop;
    this.#top = this.#isScaled()
      ? scrollTop / this.#lastScroll() * this.#lastTop()
      : scrollTop / this.#rowHeight;
    this.#draw();
  }

  #takeWheel(event: WheelEvent): void {
    if (!this.#isScaled() || event.ctrlKey) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 36 : 1;
    this.#moveTo(this.#top + event.deltaY * pixels / this.#rowHeight);
  }

  #takeKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#rowsInSight()) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.#count > 0) this.#options.onOpen(this.#active, true);
    } else if (step !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.#active = Math.max(0, Math.min(this.#count - 1, this.#active + step));
      const lowest = this.#active - this.#rowsInSight() + 1;
      this.#moveTo(Math.min(this.#active, Math.max(lowest, this.#top)));
    }
  }

  #takeClick(event: Event): void {
    const row = event.target instanceof Element
      ? event.target.closest<HTMLElement>("[role=option]")
      : null;
    if (row === null) return;
    this.#active = Number(row.getAttribute("aria-posinset")) - 1;
    this.#draw();
    this.#options.onOpen(this.#active, false);
  }

  #draw(): void {
    const first = Math.max(0, Math.floor(this.#top) - MORE_ROWS);
    const last = Math.min(this.#count, Math.ceil(this.#top + this.#rowsInSight()) + MORE_ROWS) - 1;
    const rows: HTMLElement[] = [];
    for (let position = first; position <= last; position++) rows.push(this.#row(position));
    const offset = this.element.scrollTop - (this.#top - first) * this.#rowHeight;
    this.#window.style.transform = `translateY(${offset}px)`;
    fill(this.#window, ...rows);
    const isInSight = this.#active >= first && this.#active <= last;
    if (isInSight) this.element.setAttribute("aria-activedescendant", `row-${this.#active}`);
    else this.element.removeAttribute("aria-activedescendant");
    if (rows.length > 0) this.#options.onSeen(first, last);
  }

  #row(position: number): HTMLElement {
    const row = this.#options.renderRow(position);
    const isActive = position === this.#active;
    const attributes = {
      id: `row-${position}`,
      role: "option",
      "aria-posinset": position + 1,
      "aria-setsize": this.#count,
      "aria-selected": isActive,
    };
    for (const [name, value] of Object.entries(attributes)) row.setAttribute(name, String(value));
    return row;
  }
}
