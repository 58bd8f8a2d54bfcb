/**
 * The page: takes files, has them verified, and shows what came of it.
 *
 * @module
 */
import { collectChosen, collectDropped, MOST_FILES } from "./collect.ts";
import type { Collected } from "./collect.ts";
import { button, el, fill } from "./dom.ts";
import { EntryIndex, MOST_LISTED } from "./entry_index.ts";
import { castFiles, chooseRole, evidenceOf, recognise } from "./recognise.ts";
import type { Recognised, Role } from "./recognise.ts";
import { renderFiles, renderVerdict } from "./render.ts";
import { Timeline } from "./timeline.ts";
import type { Evidence, Progress } from "./verify.ts";
import { WORDS } from "./words.ts";
import { runVerification } from "./worker.ts";
import type { Run } from "./worker.ts";

const PAUSE_MS = 100; // at most ten drawings of the progress a second

/** Builds the page into the body. `script` is the text that a worker is made from. */
export function startPage(script: string, version: string): void {
  new Page(script, version);
}

class Page {
  readonly #script: string;
  readonly #dropText = el("p", { class: "drop-text" }, WORDS.dropHere);
  readonly #clear = button(WORDS.clear, () => this.#startOver(), { class: "quiet", hidden: true });
  readonly #files = el("div");
  readonly #result = el("div", { class: "result" });
  readonly #announcer = el("p", { class: "unseen", role: "status" });
  #offered: readonly Recognised[] = [];
  #run = new AbortController();
  #timeline: Timeline | null = null;

  constructor(script: string, version: string) {
    this.#script = script;
    document.body.append(
      el("header", {}, el("h1", {}, WORDS.heading), el("p", {}, WORDS.intro)),
      el("main", {}, this.#renderOffer(), this.#files, this.#result, this.#announcer),
      el("footer", {}, el("p", {}, WORDS.footer(version))),
    );
    this.#takeDrops();
  }

  #renderOffer(): HTMLElement {
    const chooser = (attributes: Record<string, boolean>): HTMLInputElement => {
      const input = el("input", { type: "file", multiple: true, hidden: true, ...attributes });
      input.addEventListener("change", () => {
        if (input.files !== null) void this.#take(collectChosen(input.files));
        input.value = ""; // the same file may be chosen again
      });
      return input;
    };
    const [files, folder] = [chooser({}), chooser({ webkitdirectory: true })];
    return el(
      "section",
      { class: "offer", "aria-label": WORDS.offerLabel },
      this.#dropText,
      el(
        "div",
        { class: "buttons" },
        button(WORDS.chooseFiles, () => files.click(), { class: "strong" }),
        button(WORDS.chooseFolder, () => folder.click()),
        this.#clear,
      ),
      el("p", { class: "hint" }, WORDS.dropHint),
      files,
      folder,
    );
  }

  #takeDrops(): void {
    const setOver = (isOver: boolean): void => void document.body.classList.toggle("over", isOver);
    addEventListener("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer !== null) {
        void collectDropped(event.dataTransfer).then((files) => this.#take(files));
      }
    });
  }

  async #take({ files, isCut }: Collected): Promise<void> {
    if (files.length === 0) { // such as a text; what is shown stays
      return this.#offered.length === 0 ? this.#say(WORDS.nothingOffered) : undefined;
    }
    const recognised = await Promise.all(files.map(recognise));
    const replaced = new Set(recognised.map(({ path }) => path));
    this.#offered = [...this.#offered.filter(({ path }) => !replaced.has(path)), ...recognised];
    this.#drawFiles(isCut);
    await this.#verify(true);
  }

  async #choose(file: Recognised, role: Role | null): Promise<void> {
    this.#offered = chooseRole(this.#offered, file, role);
    const focused = document.activeElement?.id;
    this.#drawFiles(false);
    if (focused) document.getElementById(focused)?.focus(); // the table was drawn anew
    await this.#verify(false);
  }

  #startOver(): void {
    this.#endRun();
    this.#offered = [];
    fill(this.#files);
    fill(this.#result);
    fill(this.#announcer);
    fill(this.#dropText, WORDS.dropHere);
    this.#clear.hidden = true;
    document.body.classList.remove("has-files");
    document.querySelector<HTMLElement>(".offer button")?.focus();
  }

  #drawFiles(isCut: boolean): void {
    const isOpen = this.#files.querySelector("details")?.open === true;
    fill(
      this.#files,
      renderFiles(
        this.#offered,
        castFiles(this.#offered),
        isOpen || isCut,
        (file, role) => void this.#choose(file, role),
      ),
      isCut && el("p", { class: "note" }, WORDS.tooMany(MOST_FILES)),
    );
    fill(this.#dropText, WORDS.dropMore);
    this.#clear.hidden = false;
    document.body.classList.add("has-files");
  }

  /** @param isAsked moves the focus to the verdict: the person has just handed the files over. */
  async #verify(isAsked: boolean): Promise<void> {
    this.#endRun();
    const evidence = evidenceOf(castFiles(this.#offered));
    if (evidence === null) return this.#say(WORDS.waiting);
    const { signal } = this.#run = new AbortController();
    const index = new EntryIndex();
    const progress = new ProgressPanel(() => this.#run.abort());
    fill(this.#result, progress.element);
    fill(this.#announcer, WORDS.verifying);
    const listener = {
      onProgress: (state: Progress) => progress.show(state),
      onBlock: (block: Parameters<EntryIndex["add"]>[0]) => index.add(block),
    };
    try {
      const run = await runVerification(evidence, this.#script, listener, signal);
      if (this.#run.signal === signal) this.#show(run, evidence, index, isAsked);
    } catch {
      if (this.#run.signal !== signal) return; // a newer run took over
      this.#sayAgain(signal.aborted ? WORDS.cancelled : WORDS.broken);
    }
  }

  #endRun(): void {
    const last = this.#run;
    this.#run = new AbortController(); // so that the last one knows that it is not the present one
    last.abort();
    this.#timeline?.close();
    this.#timeline = null;
  }

  #show(run: Run, { journal }: Evidence, index: EntryIndex, isAsked: boolean): void {
    const verdict = renderVerdict(run);
    fill(this.#result, verdict);
    const heading = verdict.querySelector("h2");
    fill(this.#announcer, heading?.textContent);
    if (isAsked) heading?.focus();
    const { capsule } = run.outcome;
    if (index.length === 0 || !(journal instanceof Blob)) return;
    const isCut = capsule !== null && capsule.entry_count > index.length && capsule.ok;
    const holds = capsule?.ok === true || capsule?.code.startsWith("capsule.metadata_") === true;
    const note = isCut ? WORDS.timelineCut(MOST_LISTED) : holds ? null : WORDS.timelineHeld;
    this.#timeline = new Timeline(journal, index, note);
    this.#result.append(this.#timeline.element);
  }

  #say(text: string): void {
    fill(this.#result, el("div", { class: "said panel buttons" }, el("p", {}, text)));
    fill(this.#announcer, text);
  }

  #sayAgain(text: string): void {
    this.#say(text);
    const again = button(WORDS.again, () => void this.#verify(true));
    this.#result.firstElementChild?.append(again);
    again.focus();
  }
}

/** How far the verification is, and a way to end it. */
class ProgressPanel {
  readonly element: HTMLElement;
  readonly #bar = el("progress", { "aria-label": WORDS.verifying });
  readonly #text = el("p", { class: "hint" }, WORDS.starting);
  #drawnAt = -Infinity;

  constructor(onCancel: () => void) {
    this.element = el(
      "section",
      { class: "progress panel", "aria-label": WORDS.verifying },
      el("p", { class: "eyebrow" }, WORDS.verifying),
      this.#bar,
      el("div", { class: "buttons" }, this.#text, button(WORDS.cancel, onCancel)),
    );
  }

  show({ done, total, entries }: Progress): void {
    if (performance.now() - this.#drawnAt < PAUSE_MS) return;
    this.#drawnAt = performance.now();
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
    fill(this.#text, WORDS.progress(done, total, entries));
  }
}
