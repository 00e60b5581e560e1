/** An invalid line in a dotenv text. The message never contains any part of its value, which may be a password. */
export class EnvLineError extends Error {
  /** `line` starts at 1. */
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

/** A value, or how the line has to be corrected. */
type Reading = { readonly value: string } | { readonly problem: string };

const SETTING_LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/s;
const COMMENT = /^\s*(?:#.*)?$/s;
const QUOTED = /^\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`)(.*)$/s;
const CONTROL = /[^\P{Cc}\t]/u;

/**
 * Parses a dotenv text. Throws an `EnvLineError` for ambiguous lines: dotenv, Docker and shells parse some of them
 * differently, and may drop a part of the value.
 */
export function parseEnvText(text: string): Readonly<Record<string, string>> {
  const settings = new Map<string, string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (COMMENT.test(line)) continue;
    const [, name, rest = ''] = SETTING_LINE.exec(line) ?? [];
    if (name === undefined) throw new EnvLineError(index + 1, 'must be NAME=value, or start with #');
    const reading = readValue(rest);
    if ('problem' in reading) throw new EnvLineError(index + 1, `${name} ${reading.problem}`);
    const earlier = settings.get(name);
    if (earlier && earlier !== reading.value) {
      throw new EnvLineError(index + 1, `${name} has another value above; remove one of the two lines`);
    }
    settings.set(name, reading.value);
  }
  return Object.fromEntries(settings);
}

function readValue(text: string): Reading {
  if (CONTROL.test(text)) return { problem: 'contains a control character; write it again' };
  const [, double, single, backtick, rest] = QUOTED.exec(text) ?? [];
  if (rest === undefined) return readUnquoted(text);
  if (!COMMENT.test(rest)) return { problem: "continues after its quotes; put the whole value in single quotes: '…'" };
  const value = double?.replaceAll('\\n', '\n') ?? single ?? backtick ?? '';
  if (double !== undefined && value.includes('\\')) {
    return { problem: "has a backslash, which double quotes may change; use single quotes: '…'" };
  }
  return { value };
}

function readUnquoted(text: string): Reading {
  if (/^\s*["'`]/.test(text)) return { problem: 'has a quote that is not closed on the same line; close it' };
  const comment = /\s#+(?=\s|$)/.exec(text);
  const value = text.slice(0, comment?.index).trim();
  if (/^#+(?=\s|$)|\s#/.test(text.slice(0, comment?.index))) {
    return {
      problem: 'has a # that may begin a comment; put the whole value in quotes, or a space before and after the #',
    };
  }
  return { value };
}
