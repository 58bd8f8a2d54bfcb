/**
 * The timeline: every entry by lineage and effect class, with counts, filters, a search and one entry opened.
 *
 * @module
 */
import { EFFECT_CLASSES, LINEAGES } from "../capsule/mod.ts";
import { el, fill, foreign } from "./dom.ts";
import { openEntry, readSummary } from "./entries.ts";
import type { Opened, Summary } from "./entries.ts";
import type { EntryIndex } from "./entry_index.ts";
import { countSorts, filterEntries, searchEntries } from "./filter.ts";
import { VirtualList } from "./list.ts";
import { drawStrips } from "./strip.ts";
import { formatCount } from "./text.ts";
import { WORDS } from "./words.ts";

const MOST_SUMMARIES = 1000;
const TYPING_MS = 250;

/** The timeline of one journal. */
export class Timeline {
  /** The element to put into the page. */
  readonly element: HTMLElement;
  readonly #journal: Blob;
  readonly #index: EntryIndex;
  readonly #list: VirtualList;
  readonly #strips: HTMLCanvasElement[] = [];
  readonly #status = el("p", { class: "shown", role: "status" });
  readonly #empty = el("p", { class: "none", hidden: true }, WORDS.noneShown);
  readonly #detail = el("div", { class: "detail" });
  readonly #lineages = new Set(LINEAGES.keys());
  readonly #classes = new Set(EFFECT_CLASSES.keys());
  readonly #summaries = new Map<number, Summary>();
  #found: Uint32Array | null = null;
  /** The entries that are shown; `null` for all of them. */
  #view: Uint32Array | null = null;
  #search = new AbortController();

  /** @param note is shown above, where the entries are not all or not good. */
  constructor(journal: Blob, index: EntryIndex, note: string | null) {
    this.#journal = journal;
    this.#index = index;
    this.#list = new VirtualList({
      label: WORDS.listLabel,
      describedBy: "list-hint",
      renderRow: (position) => this.#renderRow(this.#entryAt(position)),
      onSeen: (first, last) => void this.#loadSummaries(first, last),
      onOpen: (position, isByKey) => void this.#open(this.#entryAt(position), isByKey),
    });
    fill(this.#detail, el("p", { class: "hint" }, WORDS.detailHint));
    this.#detail.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#list.element.focus();
    });
    this.element = el(
      "section",
      { class: "timeline panel", "aria-labelledby": "timeline-heading" },
      el("h2", { id: "timeline-heading" }, WORDS.timelineHeading),
      note !== null && el("p", { class: "note" }, note),
      ...this.#renderFilters(),
      el(
        "div",
        { class: "viewer" },
        el(
          "div",
          { class: "entries" },
          this.#list.element,
          this.#empty,
          el("p", { class: "hint", id: "list-hint" }, WORDS.listHint),
        ),
        this.#detail,
      ),
    );
    const [strip] = this.#strips;
    if (strip !== undefined) new ResizeObserver(() => this.#drawStrips()).observe(strip);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#drawStrips());
    this.#applyFilter();
  }

  /** Ends what still runs. */
  close(): void {
    this.#search.abort();
  }

  #entryAt(position: number): number {
    return this.#view?.[position] ?? position;
  }

  #renderFilters(): HTMLElement[] {
    const counts = countSorts(this.#index);
    const lanes = LINEAGES.map((name, place) => {
      const strip = el("canvas", {
        class: "strip",
        role: "img",
        "aria-label": WORDS.stripLabel(name, counts.lineages[place] ?? 0),
      });
      strip.addEventListener(
        "click",
        (event) => this.#goToShare(event.offsetX / strip.clientWidth),
      );
      this.#strips.push(strip);
      const label = this.#checkbox(this.#lineages, place, name, counts.lineages[place] ?? 0);
      return el("div", { class: "lane" }, label, strip);
    });
    const classes = EFFECT_CLASSES.map((name, place) =>
      this.#checkbox(this.#classes, place, name, counts.classes[place] ?? 0, `swatch se${place}`)
    );
    return [
      el("fieldset", { class: "lanes" }, el("legend", {}, WORDS.lineageLegend), ...lanes),
      el("fieldset", { class: "classes" }, el("legend", {}, WORDS.classLegend), ...classes),
      el("div", { class: "search" }, this.#renderSearch(), this.#status),
    ];
  }

  #checkbox(
    chosen: Set<number>,
    place: number,
    name: string,
    count: number,
    swatch?: string,
  ): HTMLElement {
    const box = el("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(place);
      else chosen.delete(place);
      this.#applyFilter();
    });
    return el(
      "label",
      { class: "choice" },
      box,
      swatch !== undefined && el("span", { class: swatch, "aria-hidden": "true" }),
      el("span", { class: "name" }, name),
      " ",
      el("span", { class: "count" }, formatCount(count)),
    );
  }

  #renderSearch(): HTMLElement {
    const input = el("input", {
      type: "search",
      id: "search",
      placeholder: WORDS.searchHint,
      autocomplete: "off",
      spellcheck: "false",
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.#runSearch(input.value), TYPING_MS);
    });
    return el(
      "label",
      { class: "field", for: "search" },
      el("span", { class: "title" }, WORDS.searchLabel),
      input,
    );
  }

  async #runSearch(text: string): Promise<void> {
    this.#search.abort();
    const { signal } = this.#search = new AbortController();
    const onProgress = (share: number): void =>
      fill(this.#status, WORDS.searching(Math.floor(100 * share)));
    try {
      const found = text === ""
        ? null
        : await searchEntries(this.#journal, this.#index, text, onProgress, signal);
      if (signal.aborted) return;
      this.#found = found;
      this.#applyFilter();
    } catch { // a newer search took over, or the file is gone: what is shown stays
      if (!signal.aborted) this.#applyFilter();
    }
  }

  #applyFilter(): void {
    const filter = { lineages: this.#lineages, classes: this.#classes };
    this.#view = filterEntries(this.#index, filter, this.#found);
    const count = this.#view?.length ?? this.#index.length;
    fill(this.#status, WORDS.shown(count, this.#index.length));
    this.#list.element.hidden = count === 0;
    this.#empty.hidden = count > 0;
    this.#list.setCount(count);
    this.#drawStrips();
  }

  #drawStrips(): void {
    drawStrips(this.#strips, this.#index, this.#view);
  }

  #goToShare(share: number): void {
    const entry = Math.floor(share * this.#index.length);
    const position = this.#view === null ? entry : this.#view.findIndex((shown) => shown >= entry);
    this.#list.goTo(position < 0 ? this.#index.length : position);
  }

  #renderRow(entry: number): HTMLElement {
    const sort = this.#index.sortOf(entry);
    const kind = this.#index.kindOf(entry);
    const summary = this.#summaries.get(entry);
    return el(
      "div",
      { class: "row" },
      el("span", { class: "seq" }, formatCount(entry)),
      el("span", { class: `class se${sort & 7}` }, EFFECT_CLASSES[sort & 7]),
      el("span", { class: "lineage" }, LINEAGES[sort >> 3]),
      kind === undefined ? WORDS.manyKinds : foreign(kind),
      el("span", { class: "payload" }, summary !== undefined && textOfSummary(summary)),
      el("span", { class: "time" }, summary !== undefined && foreign(summary.ts, 40)),
    );
  }

  async #loadSummaries(first: number, last: number): Promise<void> {
    const wanted: number[] = [];
    for (let position = first; position <= last; position++) {
      const entry = this.#entryAt(position);
      if (!this.#summaries.has(entry)) wanted.push(entry);
    }
    if (wanted.length === 0) return;
    if (this.#summaries.size > MOST_SUMMARIES) this.#summaries.clear();
    const read = async (entry: number): Promise<void> => {
      const summary = await readSummary(this.#journal, this.#index, entry)
        .catch(() => ({ ts: "", payload: "" })); // the file is gone: the row stays bare
      this.#summaries.set(entry, summary);
    };
    await Promise.all(wanted.map(read));
    this.#list.refresh();
  }

  async #open(entry: number, isByKey: boolean): Promise<void> {
    const opened = await openEntry(this.#journal, this.#index, entry).catch(() => null);
    if (opened === null) return;
    const heading = el("h3", { tabindex: -1 }, WORDS.entryNumber(entry));
    fill(this.#detail, heading, ...renderOpened(opened));
    if (isByKey) heading.focus();
    else this.#detail.scrollIntoView({ block: "nearest" });
  }
}

function textOfSummary({ payload, longBytes }: Summary): HTMLElement | string {
  return longBytes === undefined ? foreign(payload, 200) : WORDS.longLine(longBytes);
}

const SHOWN_CHARACTERS = 2000;

function renderOpened({ entry, raw, size }: Opened): HTMLElement[] {
  const line = el(
    "details",
    {},
    el("summary", {}, WORDS.rawLine),
    el("pre", { tabindex: 0 }, foreign(raw, 4 * SHOWN_CHARACTERS, "code")),
  );
  if (entry === null) return [el("p", {}, WORDS.longLine(size)), line];
  const { payload, ...fields } = entry;
  return [
    el("h4", {}, WORDS.payload),
    renderFields(Object.entries(payload)),
    el("h4", {}, WORDS.envelope),
    renderFields(Object.entries(fields)),
    line,
  ];
}

function renderFields(fields: [string, unknown][]): HTMLElement {
  if (fields.length === 0) return el("p", { class: "hint" }, WORDS.nothingThere);
  const parts = fields.flatMap(([name, value]) => [
    el("dt", {}, foreign(name)),
    el("dd", {}, foreign(String(value), SHOWN_CHARACTERS)),
  ]);
  return el("dl", { class: "fields" }, ...parts);
}
