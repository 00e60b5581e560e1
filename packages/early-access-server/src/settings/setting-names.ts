import { findMisspelled } from '../app/text/nearest-name.ts';
import type { Environment } from './setting.ts';
import { SETTING_LIST } from './setting-list.ts';

const NAMES: readonly string[] = SETTING_LIST.map(({ name }) => name);
/** A shorter name of the environment may well be another program's. */
const LONG = 8;

/**
 * A sentence for each name that is no setting. `ownNames` are the names in the server's `.env`: all of them are
 * named. The environment is full of names of other programs, so only small mistakes in long names count there.
 */
export function hintsAboutNames(env: Environment, ownNames: readonly string[]): readonly string[] {
  const unknown = Object.keys(env).filter((name) => env[name] && !NAMES.includes(name));
  const isOwn = (name: string) => ownNames.includes(name);
  const meant = new Map(
    unknown.map((name) => {
      const given = isOwn(name) ? name.toUpperCase() : name;
      return [name, isOwn(name) || name.length >= LONG ? findMisspelled(given, NAMES) : undefined] as const;
    }),
  );
  const others = unknown.filter((name) => isOwn(name) && meant.get(name) === undefined);
  return [
    ...[...meant].flatMap(([name, known]) =>
      known === undefined ? [] : [`${name} is not a setting; did you mean ${known}?`],
    ),
    ...(others.length === 0
      ? []
      : [`Unknown settings, which this server ignores: ${others.join(', ')} (docs/settings.md)`]),
  ];
}
