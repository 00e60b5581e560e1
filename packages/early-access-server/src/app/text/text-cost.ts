/** Marks that open or close emphasis. A parser of Markdown compares each with all others of its paragraph. */
const EMPHASIS = /[*_~]/g;
const MAX_EMPHASIS = 600;

/** A line in more quotes and lists than any email needs. Its parser calls itself for each. */
const NESTED = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){21}/;
/** A line across the page, such as `- - -`. */
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/;

/** Why a Markdown text would take too long to read, in a sentence; null if it does not. */
export function findCostProblem(text: string): string | null {
  if ((text.match(EMPHASIS)?.length ?? 0) > MAX_EMPHASIS)
    return `the text has more than ${MAX_EMPHASIS} of the marks * _ ~; remove some`;
  const isNested = text.split(/[\r\n]/).some((line) => NESTED.test(line) && !RULE.test(line));
  return isNested ? 'the text is nested too deeply for an email' : null;
}
