import { findMisspelled, findNearest } from '../app/list/nearest-name.ts';
import type { Environment } from './setting.ts';
import { SETTING_LIST } from './setting-list.ts';

const NAMES: readonly string[] = SETTING_LIST.map(({ name }) => name);
/** Names that begin like this are meant for this server, if they are in its `.env`. */
const PREFIXES = ['BRAND_', 'MAIL_', 'MAILS_', 'SMTP_', 'INVITE_', 'HUMAN_CHECK_', 'WEBHOOK_'];
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
    const isOwn = ownNames.includes(name);
    const meant = isOwn || name.length >= LONG ? findMeant(name, isOwn) : undefined;
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

/** A name in `.env` with a known prefix is certainly meant for this server, however it is misspelled. */
function findMeant(name: string, isOwn: boolean): string | undefined {
  const given = isOwn ? name.toUpperCase() : name;
  const meant = findMisspelled(given, NAMES);
  if (meant !== undefined) return meant;
  const prefix = isOwn && PREFIXES.find((start) => given.startsWith(start));
  return prefix
    ? findNearest(
        given,
        NAMES.filter((known) => known.startsWith(prefix)),
      )?.name
    : undefined;
}
