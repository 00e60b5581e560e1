import { run } from '../../run.ts';

/** Licenses that let anyone use and redistribute the software, even in closed products. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

/** Private packages that published ones include as a build. */
const BUILT_IN: Readonly<Record<string, string>> = { 'early-access-server': '@early-access-kit/dashboard' };

type Licenses = Readonly<Record<string, readonly { readonly name: string }[]>>;

/** Checks that the package and all its dependencies, including transitive ones, have a permissive license. */
export async function checkLicenses(name: string): Promise<string[]> {
  const filters = [name, BUILT_IN[name]].flatMap((member) => (member === undefined ? [] : ['--filter', member]));
  const { code, output } = await run('pnpm', [...filters, 'licenses', 'list', '--prod', '--json']);
  if (code !== 0) return [`pnpm licenses list:\n${output}`];
  // Without dependencies, the output is a sentence.
  const licenses: Licenses = output.trimStart().startsWith('{') ? JSON.parse(output) : {};
  return Object.entries(licenses)
    .filter(([license]) => !isPermissive(license))
    .flatMap(([license, packages]) => packages.map((used) => `${used.name} has the license ${license}`));
}

/** One permissive license of several choices is enough: `(MIT OR GPL-3.0)`. */
function isPermissive(license: string): boolean {
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => PERMISSIVE.includes(choice));
}
