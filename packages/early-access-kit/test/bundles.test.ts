import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUNDLERS, joinCode } from '@early-access-kit/testkit/bundlers';
import { expandEntries } from '@early-access-kit/testkit/entries';
import { LANGUAGES, MESSAGES } from 'early-access-kit/messages';
import { describe, expect, it } from 'vitest';

/** Checks the built entries, and a host's bundles of them. Reads dist/, so build first. */
const DIST = path.resolve(import.meta.dirname, '../dist');

/** All exported modules except the contract suite, which no page loads. */
const { exports } = JSON.parse(readFileSync(path.join(DIST, '../package.json'), 'utf8'));
const MODULES = Object.values(expandEntries(exports, DIST))
  .flatMap((target) => (typeof target === 'string' ? [] : (target.import ?? [])))
  .flatMap((target) => (typeof target === 'string' ? [] : path.posix.relative('dist', String(target.default))))
  .filter((file) => file !== 'testing.js');

const locateLanguage = (language: string) => `messages/${language.toLowerCase()}.js`;

/** Returns the code that a page loads initially, and the code that it loads on demand, without React. */
async function buildBundle(entry: string, bundler: keyof typeof BUNDLERS = 'esbuild') {
  const page = await BUNDLERS[bundler](path.resolve(DIST, entry), [
    'react',
    'react-dom',
    'react/jsx-runtime',
    'vitest',
  ]);
  // esbuild escapes non-ASCII characters.
  const joinTexts = (files: typeof page.initial) =>
    joinCode(files).replace(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, long?: string, short = '') =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    );
  const now = joinTexts(page.initial);
  const imported = [...now.matchAll(/\b(?:from|import)\s*["']([^"']+)["']/g)].map(([, module = '']) => module);
  return { now, later: joinTexts(page.later), imports: imported.filter((module) => !module.startsWith('.')) };
}

describe('the entry early-access-kit', () => {
  it('starts with the directive for server components in both formats', () => {
    for (const file of ['index.js', 'index.cjs']) {
      expect(readFileSync(path.join(DIST, file), 'utf8')).toMatch(/^(["']use strict["'];\n?)?["']use client["'];/);
    }
  });

  it('loads the admin panel later and no adapter at all', async () => {
    const { now, later } = await buildBundle('index.js');
    expect(now).toContain('Joining...');
    expect(now).not.toContain('Analytics Overview');
    expect(later).toContain('Analytics Overview');
    for (const route of ['/welcome-email', '/summary']) expect(now + later).not.toContain(route);
    expect(now + later).not.toContain('early-access-kit/testing');
  });

  it('only imports React', async () => {
    const { imports } = await buildBundle('index.js');
    expect(new Set(imports)).toEqual(new Set(['react', 'react/jsx-runtime']));
  });
});

describe('the field types that few forms use', () => {
  const MARKS = ['eak-field__lines', 'country code', 'decimals must be', 'eak-field__help'];

  it.each([
    ['fields', false],
    ['more-fields', true],
  ])('are in a page with signupFields of %s: %s', async (entry, areThere) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bundles-'));
    try {
      const page = path.join(folder, 'page.js');
      writeFileSync(page, `import { signupFields } from '${DIST}/${entry}.js';\nglobalThis.used = signupFields;\n`);
      const { now, later } = await buildBundle(page);
      for (const mark of MARKS) expect([mark, now.includes(mark)]).toEqual([mark, areThere]);
      expect(later).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each(['vite', 'webpack', 'esbuild'] as const)('a page with every widget, from %s', (bundler) => {
  it('only loads the overlay’s listener', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bundles-'));
    try {
      const page = path.join(folder, 'page.js');
      const widgets = '{ AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm }';
      writeFileSync(page, `import ${widgets} from '${DIST}/index.js';\nglobalThis.used = ${widgets};\n`);
      const { now, later } = await buildBundle(page, bundler);
      expect(now).toContain('Joining...');
      for (const text of ['Analytics Overview', 'logged-out']) expect(now).not.toContain(text);
      for (const text of ['Analytics Overview', 'logged-out']) expect(later).toContain(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each([
  'core.js',
  'tracker.js',
  'adapters/http.js',
  'adapters/memory.js',
  'adapters/firestore.js',
  'messages.js',
  'messages/pseudo.js',
  ...LANGUAGES.map(locateLanguage),
])('the entry %s', (entry) => {
  it('imports nothing and contains no widget', async () => {
    const { now, later, imports } = await buildBundle(entry);
    expect(imports).toEqual([]);
    expect(now + later).not.toContain('eak-');
  });
});

describe('the human checks', () => {
  it.each(['turnstile', 'hcaptcha', 'proof-of-work'])(
    '%s is one entry that imports nothing and no other check',
    async (check) => {
      const { now, later, imports } = await buildBundle(`human/${check}.js`);
      expect([imports, later]).toEqual([[], '']);
      const marks = {
        turnstile: 'challenges.cloudflare.com',
        hcaptcha: 'js.hcaptcha.com',
        'proof-of-work': '/human-challenge',
      };
      for (const [other, mark] of Object.entries(marks)) expect(now.includes(mark)).toBe(other === check);
    },
  );

  it('are not part of a page that does not use them', async () => {
    const { now, later } = await buildBundle('index.js');
    expect(now + later).not.toMatch(/cloudflare|hcaptcha\.com|human-challenge/);
  });
});

describe('the languages', () => {
  it.each(LANGUAGES)('%s includes no other language', async (language) => {
    const { now, later } = await buildBundle(locateLanguage(language));
    for (const other of LANGUAGES) {
      expect([other, (now + later).includes(MESSAGES[other].overviewTitle)]).toEqual([other, other === language]);
    }
  });

  it('are each exported', () => {
    expect(MODULES.filter((file) => file.startsWith('messages/')).sort()).toEqual(
      ['messages/pseudo.js', ...LANGUAGES.map(locateLanguage)].sort(),
    );
  });

  it('are not loaded by pages that do not use them', async () => {
    const { now, later } = await buildBundle('index.js');
    expect(now).not.toContain(MESSAGES.en.logout);
    const others = LANGUAGES.filter((language) => language !== 'en').map((language) => MESSAGES[language].logout);
    for (const text of [...others, 'ÅƁÇÐ']) expect(now + later).not.toContain(text);
  });
});

describe('the entry early-access-kit/embed', () => {
  it('includes Preact instead of React, and loads the admin panel later', async () => {
    const { now, later, imports } = await buildBundle('embed.js');
    expect(imports).toEqual([]);
    expect(now).toContain('Joining...');
    expect(now).not.toContain('Analytics Overview');
    expect(later).toContain('Analytics Overview');
  });

  it('does nothing on a server', async () => {
    const { configure } = await import('early-access-kit/embed');
    expect(configure({ endpoint: '/api' })).toBeUndefined();
  });
});

describe('the scripts for pages without a bundler', () => {
  interface Script {
    file: string;
    integrity: string;
  }
  const read = (file: string) => readFileSync(path.join(DIST, 'script', file), 'utf8');
  const list: Record<'main' | 'admin' | 'human' | 'share' | 'texts', Script> & {
    version: string;
    languages: Record<string, Script>;
  } = JSON.parse(read('embed.json'));

  it('have their version in their names', () => {
    const { version } = JSON.parse(readFileSync(path.join(DIST, '../package.json'), 'utf8'));
    expect(list).toMatchObject({
      version,
      main: { file: `embed-${version}.js` },
      admin: { file: `embed-admin-${version}.js` },
      human: { file: `embed-human-${version}.js` },
    });
  });

  const all = [list.main, list.admin, list.human, list.share, list.texts, ...Object.values(list.languages)];
  it.each(all)('have the published hash: $file', ({ file, integrity }) => {
    const [algorithm = ''] = integrity.split('-');
    expect(['sha256', 'sha384']).toContain(algorithm);
    expect(integrity).toBe(`${algorithm}-${createHash(algorithm).update(read(file)).digest('base64')}`);
  });

  it.each([
    ['the overlay', list.admin, 'Analytics Overview'],
    ['the human checks', list.human, '/human-challenge'],
  ])('load %s from a separate script, whose hash the first script contains', (_, { file, integrity }, text) => {
    const main = read(list.main.file);
    expect(main).toContain('Joining...');
    expect(main).not.toContain(text);
    expect(read(file)).toContain(text);
    expect(main).toContain(integrity);
  });

  it('have the texts of each language in a separate one, whose hash is in the texts script', () => {
    expect(read(list.main.file)).toContain(list.texts.integrity);
    expect(Object.keys(list.languages)).toEqual([...LANGUAGES]);
    for (const language of LANGUAGES) {
      const { file = '', integrity = '' } = list.languages[language] ?? {};
      expect(read(list.texts.file)).toContain(integrity);
      for (const other of LANGUAGES) {
        expect([other, read(file).includes(MESSAGES[other].overviewTitle)]).toEqual([other, other === language]);
      }
    }
  });

  it('have the share link in a separate one, which the first does not reference', () => {
    expect(read(list.share.file)).toContain('early-access-share');
    expect(read(list.main.file)).not.toContain('early-access-share');
  });

  it('do nothing that a strict Content-Security-Policy forbids', () => {
    for (const { file } of all) {
      expect(read(file)).not.toMatch(/\beval\(|\bFunction\(|\.write\(|insertAdjacentHTML|createElement\(.style/);
    }
  });
});

describe('the firestore adapter', () => {
  const CHECK = 'must be a valid email address';

  it('loads the validation only after a denial', async () => {
    const { now, later } = await buildBundle('adapters/firestore.js');
    expect(now).not.toContain(CHECK);
    expect(later).toContain(CHECK);
  });
});

it('no entry contains a Node module, a console call or eval', async () => {
  for (const entry of MODULES) {
    const { now, later } = await buildBundle(entry);
    // Only errors that the host can fix are logged: bugs in its adapter, and signups that are invalid or forbidden.
    const code = (now + later).replaceAll(/console\.error\("early-access-kit:"|console\.warn\(\w+\.message\)/g, '');
    expect(code).not.toMatch(/\bnode:|\bconsole\.|\beval\(|new Function\(|admin@example\.com/);
  }
});

it('the stylesheet uses nothing that a bundler would compile to something else', () => {
  const styles = readFileSync(path.join(DIST, 'styles.css'), 'utf8');
  expect(styles).toContain('@layer early-access-kit');
  // Lightning CSS compiles it to variables that only exist if the host's own CSS declares a color-scheme.
  expect(styles.replace(/\/\*.*?\*\//gs, '')).not.toContain('light-dark(');
});
