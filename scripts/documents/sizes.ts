import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliBytes, initialBytes } from '@early-access-kit/testkit/bundlers';
import { KIT } from '@early-access-kit/testkit/packages';
import { ROOT } from '../run.ts';

/** Bytes, compressed with Brotli. */
export interface Size {
  readonly name: string;
  readonly size: number;
  readonly limit: number;
  /** The bundler that `size` was measured with; undefined for a file that is not bundled. */
  readonly bundler?: string;
  readonly isListed?: true;
}

interface Measured {
  readonly name: string;
  readonly limit: number;
  /**
   * Shown in the README's table, because it decides whether a page can afford the kit. The others only have a limit.
   */
  readonly isListed?: true;
}

interface Page extends Measured {
  /** A page's imports, by entry of the package. */
  readonly imports: Readonly<Record<string, readonly string[] | '*'>>;
}

interface PackageFile extends Measured {
  /** A pattern below `dist`. */
  readonly file: string;
}

const FORM = ['EarlyAccessProvider', 'SignupForm'];
const HTTP = { 'adapters/http': ['httpAdapter'] };

const ROWS: readonly (Page | PackageFile)[] = [
  { name: 'tracker: `startTracker`', imports: { tracker: ['startTracker'] }, limit: 2_450 },
  {
    name: 'tracker with the http adapter',
    isListed: true,
    imports: { tracker: ['startTracker'], ...HTTP },
    limit: 3_110,
  },
  { name: 'form with provider and the http adapter', isListed: true, imports: { '': FORM, ...HTTP }, limit: 4_200 },
  { name: 'form with your own fields', imports: { '': FORM, fields: ['signupFields'], ...HTTP }, limit: 6_950 },
  {
    name: 'form with fields of every type',
    imports: { '': FORM, 'more-fields': ['signupFields'], ...HTTP },
    limit: 9_000,
  },
  {
    name: 'everything a visitor loads: form, tracker, overlay without its panel, http adapter',
    isListed: true,
    imports: { '': ['AdminOverlay', 'SessionTracker', ...FORM], ...HTTP },
    limit: 7_050,
  },
  {
    name: '`useSignup` with the provider, for your own markup',
    isListed: true,
    imports: { '': ['EarlyAccessProvider', 'useSignup'] },
    limit: 2_800,
  },
  {
    name: '`ShareLink` with the provider, besides the form',
    imports: { '': ['EarlyAccessProvider'], share: ['ShareLink', 'withShare'] },
    limit: 2_500,
  },
  { name: 'http adapter', imports: HTTP, limit: 1_000 },
  { name: 'firestore adapter', isListed: true, imports: { 'adapters/firestore': ['firestoreAdapter'] }, limit: 3_210 },
  { name: 'memory adapter', imports: { 'adapters/memory': ['memoryAdapter'] }, limit: 4_050 },
  { name: 'human check: Turnstile, without its script', imports: { 'human/turnstile': ['turnstile'] }, limit: 1_400 },
  { name: 'human check: hCaptcha, without its script', imports: { 'human/hcaptcha': ['hcaptcha'] }, limit: 1_400 },
  {
    name: 'human check: proof of work',
    isListed: true,
    imports: { 'human/proof-of-work': ['proofOfWork'] },
    limit: 2_000,
  },
  { name: 'suggestion of a domain, before the field is used', imports: { suggest: ['EmailSuggestion'] }, limit: 1_100 },
  {
    name: 'suggestion of a domain, loaded when the field is used',
    file: 'script/embed-suggest-[0-9]*.js',
    limit: 1_200,
  },
  { name: '`SignupCount`', imports: { count: ['SignupCount'] }, limit: 800 },
  { name: 'embed-count.js: `<early-access-count>`', file: 'script/embed-count-[0-9]*.js', limit: 800 },
  { name: 'core: `isValidEmail`', imports: { core: ['isValidEmail'] }, limit: 500 },
  { name: 'core: everything', imports: { core: '*' }, limit: 5_650 },
  { name: 'a language: Spanish', imports: { 'messages/es': ['es'] }, limit: 1_000 },
  { name: 'a language: Arabic', isListed: true, imports: { 'messages/ar': ['ar'] }, limit: 1_200 },
  { name: 'a language: Japanese', imports: { 'messages/ja': ['ja'] }, limit: 1_200 },
  {
    // The goal is 13.5 kB. Preact's core and hooks alone take 5.3 kB.
    name: 'embed.js: form, tracker, http adapter, styles and Preact, for pages without a bundler',
    isListed: true,
    file: 'script/embed-[0-9]*.js',
    limit: 15_200,
  },
  { name: 'embed.js: what finds a language, besides the language', file: 'script/embed-texts-[0-9]*.js', limit: 1_000 },
  {
    name: 'embed-share.js: the share link of pages without a bundler',
    file: 'script/embed-share-[0-9]*.js',
    limit: 2_900,
  },
  { name: 'embed-success.js: `success-url`', file: 'script/embed-success-[0-9]*.js', limit: 300 },
  { name: 'theme lagoon', file: 'themes/lagoon.css', limit: 1_000 },
  { name: 'stylesheet', isListed: true, file: 'styles.css', limit: 3_150 },
];

/**
 * Measures what pages load initially from the built package, without React: the maximum of Vite, webpack and esbuild.
 */
export async function measureSizes(): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const row of ROWS) sizes.push('file' in row ? fileSize(row) : await pageSize(row));
  return sizes;
}

function fileSize({ file, ...measured }: PackageFile): Size {
  const dist = path.join(ROOT, KIT, 'dist');
  const [found, ...others] = globSync(file, { cwd: dist });
  if (found === undefined || others.length > 0) throw new Error(`${file} has to match one file of ${dist}`);
  return { ...measured, size: brotliBytes(readFileSync(path.join(dist, found))) };
}

async function pageSize({ imports, ...measured }: Page): Promise<Size> {
  const sizes = Object.entries(await initialBytes(writePage(imports), ['react', 'react-dom', 'react/jsx-runtime']));
  const [bundler, size] = sizes.reduce((largest, other) => (other[1] > largest[1] ? other : largest));
  return { ...measured, size, bundler };
}

/** Inside the repository, so that the package can be resolved. */
function writePage(imports: Page['imports']): string {
  const folder = path.join(ROOT, '.cache', 'sizes');
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(imports).map(([entry, names], index) => {
    const module = path.posix.join('early-access-kit', entry);
    return names === '*'
      ? `import * as all${index} from '${module}'; globalThis.used = all${index};`
      : `import { ${names.join(', ')} } from '${module}'; globalThis.used${index} = [${names.join(', ')}];`;
  });
  // Some bundlers write the file name into the code, so it has a typical one.
  const file = path.join(folder, 'main.js');
  writeFileSync(file, lines.join('\n'));
  return file;
}
