import { distance } from 'fastest-levenshtein';
import type { Environment } from './setting.ts';
import { SETTING_LIST } from './setting-list.ts';

const NAMES: readonly string[] = SETTING_LIST.map(({ name }) => name);
/** Names that begin like this are meant for this server, if they are in its `.env`. */
const PREFIXES = ['BRAND_', 'MAIL_', 'MAILS_', 'SMTP_', 'INVITE_', 'HUMAN_CHECK_', 'WEBHOOK_'];
const MAX_TYPOS = 2;
/** A shorter name of the environment may well be another program's. */
const LONG = 8;

/** The same settings by today's names. */
export function withCurrentNames(env: Environment): Environment {
  const renamed = SETTING_LIST.flatMap(({ name, options: { formerName } }) => {
    const value = formerName && !env[name] ? env[formerName] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return renamed.length === 0 ? env : { ...env, ...Object.fromEntries(renamed) };
}

/**
 * The corrections of names, a sentence each: names that settings had before, and names that are probably misspelled. `ownNames` are the
 * names in the server's `.env`. The environment is full of names of other programs, so only small mistakes in long names count there.
 */
export function hintsAboutNames(env: Environment, ownNames: readonly string[]): readonly string[] {
  const unknown = Object.keys(env).filter((name) => env[name] && !NAMES.includes(name));
  return unknown.flatMap((name) => {
    const renamed = SETTING_LIST.find(({ options }) => options.formerName === name);
    if (renamed) return [`${name} is now called ${renamed.name}; please rename it`];
    const meant = ownNames.includes(name) ? nearestName(name) : name.length >= LONG ? misspeltName(name) : null;
    return meant === null ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

function nearestName(name: string): string | null {
  const upper = name.toUpperCase();
  const prefix = PREFIXES.find((start) => upper.startsWith(start));
  return (
    misspeltName(upper) ?? (prefix === undefined ? null : closest(upper, (known) => known.startsWith(prefix)).name)
  );
}

function misspeltName(name: string): string | null {
  const { name: known, typos } = closest(name);
  return typos <= MAX_TYPOS && typos < name.length / 2 ? known : null;
}

function closest(name: string, isCandidate: (known: string) => boolean = () => true) {
  const [first] = NAMES.filter(isCandidate)
    .map((known) => ({ name: known, typos: countTypos(name, known) }))
    .toSorted((a, b) => a.typos - b.typos);
  return first ?? { name: '', typos: Number.POSITIVE_INFINITY };
}

/** How many letters are missing, added or wrong. Two swapped letters are one mistake. */
function countTypos(name: string, known: string): number {
  const typos = distance(name, known);
  return typos === 2 && [...name].toSorted().join('') === [...known].toSorted().join('') ? 1 : typos;
}
