/** Nothing that is sent here is nested more deeply. */
export const MAX_JSON_DEPTH = 32;

/**
 * The value of JSON that anyone may have sent; undefined if it is no JSON or is nested more deeply than
 * `MAX_JSON_DEPTH`. A parser needs 50 times as long for half a megabyte of brackets as for half a megabyte of text.
 */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
