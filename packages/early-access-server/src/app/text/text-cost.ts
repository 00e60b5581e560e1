/** Characters that open or close emphasis. Markdown parsers compare each one with all others in its paragraph. */
const EMPHASIS = /[*_~]/g;
const MAX_EMPHASIS = 600;

/** More nested quotes and lists than any email needs. The parser recurses for each. */
const NESTED = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){21}/;
/** A horizontal rule, such as `- - -`. */
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/;

/** Returns a sentence that explains why a Markdown text would take too long to parse, or null. */
export function findCostProblem(text: string): string | null {
  if ((text.match(EMPHASIS)?.length ?? 0) > MAX_EMPHASIS)
    return `the text has more than ${MAX_EMPHASIS} of the marks * _ ~; remove some`;
  const isNested = text.split(/[\r\n]/).some((line) => NESTED.test(line) && !RULE.test(line));
  return isNested ? 'the text is nested too deeply for an email' : null;
}
