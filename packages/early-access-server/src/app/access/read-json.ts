/** The API has no input with deeper nesting. */
export const MAX_JSON_DEPTH = 32;

/**
 * Parses JSON from an untrusted source. Returns undefined if it is invalid or nested more deeply than `MAX_JSON_DEPTH`:
 * half a megabyte of brackets takes 50 times as long to parse as half a megabyte of text.
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
