/**
 * Separates TypeScript source into code, comments and strings, well enough for policies that read
 * sources: comments, strings, template text and regular expressions are recognised; types are not
 * understood. Everything blanked keeps its length and its line breaks.
 *
 * @module
 */

/** One source, blanked in two degrees. */
export interface Scanned {
  /** Comments blanked, strings kept: for reading import specifiers. */
  uncommented: string;
  /** Comments, contents of strings and regular expressions blanked: for reading names. */
  code: string;
}

type Kind = "code" | "comment" | "string";

const stringPattern = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const commentPattern = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const regexPattern = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const templatePattern = /(?:\\[^]|\$(?!\{)|[^\\$`])*/y;
const valueEnd = /(?:[\w$)\]}]|\+\+|--)$/;
const keywordEnd = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|await|yield)$/;

/** Scans a whole source file. */
export function scan(source: string): Scanned {
  let uncommented = "";
  let code = "";
  let at = 0;
  const braces: boolean[] = []; // true where a brace opened a template's ${
  const take = (length: number, kind: Kind): void => {
    const text = source.slice(at, at + length);
    uncommented += kind === "comment" ? blank(text) : text;
    code += kind === "code" ? text : blank(text);
    at += length;
  };
  const template = (): void => {
    take(match(templatePattern, source, at).length, "string");
    if (source[at] === "$") braces.push(true);
    take(source[at] === "$" ? 2 : 1, "code");
  };
  while (at < source.length) {
    const comment = match(commentPattern, source, at);
    const text = match(stringPattern, source, at);
    const char = source[at];
    const regex = char === "/" && expectsValue(code) ? match(regexPattern, source, at) : "";
    if (comment) take(comment.length, "comment");
    else if (text) take(text.length, "string");
    else if (regex) take(regex.length, "string");
    else if (char === "`") {
      take(1, "code");
      template();
    } else if (char === "}" && braces.pop() === true) {
      take(1, "code");
      template();
    } else {
      if (char === "{") braces.push(false);
      take(1, "code");
    }
  }
  return { uncommented, code };
}

/** The specifiers a source imports or re-exports from, statically or by a literal `import()`. */
export function importsOf(source: string): string[] {
  const pattern = /(?<![\w$.])(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g;
  const { code, uncommented } = scan(source);
  return [...uncommented.matchAll(pattern)].filter(({ index }) => code[index] !== " ")
    .map((found) => found[1] ?? "");
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}

/** True where a slash would begin a regular expression and not divide. */
function expectsValue(before: string): boolean {
  const tail = before.slice(-40).trimEnd();
  return !valueEnd.test(tail) || keywordEnd.test(tail);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
