import { findMisspelled } from '../app/text/nearest-name.ts';
import type { Environment } from './setting.ts';
import { SETTING_LIST } from './setting-list.ts';

const NAMES: readonly string[] = SETTING_LIST.map(({ name }) => name);
/** A shorter unknown name in the environment may well belong to another program. */
const LONG = 8;

/**
 * Returns a sentence for each unknown setting. All unknown names in the server's `.env` (`ownNames`) are reported. The
 * environment contains names of other programs, so only small typos in long names are reported there.
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
