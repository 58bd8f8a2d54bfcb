/**
 * Times in UTC by their text, in one spelling: no `Date`, which has milliseconds and takes days that do not exist.
 *
 * Rule: `docs/spec/evaluation.md`, "Times".
 *
 * @module
 */

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(?!000000)\d{6})?Z$/;

const DATE = [
  "(?<year>\\d{4})(?:",
  ["-(\\d\\d)-(\\d\\d)", "(\\d\\d)(\\d\\d)", "-W(\\d\\d)(?:-(\\d))?", "W(\\d\\d)(\\d)?"].join("|"),
  ")",
].join("");
const TIME = "(\\d\\d)(?::(\\d\\d)(?::(\\d\\d)(?:\\.\\d+)?)?|(\\d\\d)(?:(\\d\\d)(?:\\.\\d+)?)?)?";

/** A date, one character that is no digit, a time: the spellings of real times that are told from other text. */
const SPELLED = new RegExp(`^${DATE}\\D${TIME}Z$`);

/** What a text is: a time in the one spelling, a real time in another, or no time. */
export function judgeTimestamp(text: string): "canonical" | "other" | "none" {
  const parts = SPELLED.exec(text);
  if (parts === null) return "none";
  const [year = 0, month1, day1, month2, day2, week1, weekday1, week2, weekday2, ...time] = parts
    .slice(1).map((part: string | undefined) => part === undefined ? undefined : Number(part));
  const week = week1 ?? week2;
  const isDay = week === undefined
    ? isDate(year, month1 ?? month2 ?? 0, day1 ?? day2 ?? 0)
    : isWeekDate(year, week, weekday1 ?? weekday2 ?? 1);
  const [hour = 0, minute1, second1, minute2, second2] = time;
  if (!isDay || hour > 23 || (minute1 ?? minute2 ?? 0) > 59 || (second1 ?? second2 ?? 0) > 59) {
    return "none";
  }
  return CANONICAL.test(text) ? "canonical" : "other";
}

/** Does the first of two canonical times come after the second? */
export function isLater(a: string, b: string): boolean {
  return padFraction(a) > padFraction(b);
}

function padFraction(canonical: string): string {
  return canonical.length === "0001-01-01T00:00:00Z".length
    ? `${canonical.slice(0, -1)}.000000Z`
    : canonical;
}

function isDate(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return year >= 1 && day >= 1 && day <= (days[month - 1] ?? 0);
}

function isWeekDate(year: number, week: number, day: number): boolean {
  // Weekday of 31 December, Sunday 0: a year has 53 weeks when it ends or begins on a Thursday.
  const end = (of: number): number =>
    (of + Math.floor(of / 4) - Math.floor(of / 100) + Math.floor(of / 400)) % 7;
  const weeks = end(year) === 4 || end(year - 1) === 3 ? 53 : 52;
  const isPast9999 = year === 9999 && week === 52 && day > 5; // its last days are in year 10000
  return year >= 1 && week >= 1 && week <= weeks && day >= 1 && day <= 7 && !isPast9999;
}
