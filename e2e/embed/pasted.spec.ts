import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import type { Page } from '@playwright/test';
import { serveProviders } from '../human/providers.ts';
import { startSelfHosted } from '../support/backend.ts';
import { expect, test } from './support/test.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The documents' placeholder for the host's server. */
const PLACEHOLDER = 'https://early.example.com';
const readDocument = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Every HTML block of a document for pasting into a page. `builders.spec.ts` tests those with an iframe. */
const BLOCKS = globSync(['*.md', 'docs/**/*.md', '{packages,examples}/*/README.md', `${KIT}/docs/*.mdx`], { cwd: ROOT })
  .flatMap((file) =>
    [...readDocument(file).matchAll(/^```html(?: .*)?\n(.*?)^```$/gms)].map(([, html = ''], index) => ({
      file,
      html,
      index,
    })),
  )
  // Excludes the host's own page after a success, which is a different page.
  .filter(({ html }) => !/<iframe|success_url|\{\{/.test(html));

/** A reader copies the version and the hash of a pinned script from the package. */
function pin(html: string): string {
  const { main } = JSON.parse(readDocument(`${KIT}/dist/script/embed.json`));
  return html.replace(/embed-\d[\d.]*\.js/, main.file).replace('sha384-…', main.integrity);
}

async function fillRequired(page: Page): Promise<void> {
  for (const control of await page.locator('[slot=fields] [required]').all()) {
    if ((await control.getAttribute('type')) === 'checkbox') await control.check();
    else await control.fill('Acme');
  }
}

test('documents have HTML blocks', () => {
  expect(new Set(BLOCKS.map(({ file }) => file))).toEqual(
    new Set([
      ...['addresses', 'count', 'fields', 'human-checks', 'share', 'start/angular', 'start/firebase', 'start/html'].map(
        (name) => `docs/${name}.md`,
      ),
      `${KIT}/README.md`,
      `${KIT}/docs/custom-elements.mdx`,
    ]),
  );
});

for (const { file, html, index } of BLOCKS) {
  test(`block ${index + 1} of ${file} signs a visitor up, as pasted by a reader`, async ({ page, site, email }) => {
    const folder = mkdtempSync(join(tmpdir(), 'early-access-pasted-'));
    const declared = join(folder, 'fields.json');
    writeFileSync(declared, readBlock('json'));
    // The server serves a complete page itself.
    writeFileSync(join(folder, 'index.html'), html);
    const isShared = html.includes('<early-access-share');
    const backend = await startSelfHosted({
      ALLOWED_ORIGINS: site.origin,
      SITE_DIR: folder,
      ...(html.includes('slot="fields"') && { SIGNUP_FIELDS: declared }),
      ...(html.includes('<early-access-count') && { SIGNUP_COUNT: '1' }),
      ...(isShared && { CONFIRM: 'on', SHARE: 'on' }),
    });
    const { origin } = backend.server;
    await serveProviders(page, () => 'token');
    const script = /\/embed(-\d[\d.]*)?\.js/.test(html) ? '' : `<script src="${origin}/embed.js" defer></script>`;
    const form = html.includes('<early-access-form') ? '' : '<early-access-form></early-access-form>';
    const pasted = pin(html).replaceAll(PLACEHOLDER, origin);
    const checks = 'https://challenges.cloudflare.com';
    const policy = `default-src 'self' ${origin}; script-src 'self' ${origin} ${checks}; frame-src ${checks}`;
    const put = () => site.put(`<!doctype html><html lang="en"><title>Pasted</title>${script}${pasted}${form}`, policy);
    await page.goto(html.startsWith('<!doctype') ? origin : put());
    await page.getByRole('textbox', { name: 'Email address' }).fill(email);
    await fillRequired(page);
    await page.getByRole('button', { name: 'Join the beta' }).click();
    await expect(page.getByText(isShared ? 'Check your inbox' : "You're on the list!")).toBeVisible();
    expect(await backend.database.signup(email)).toBeDefined();
    // Its requests would fail after the server has stopped.
    await page.close();
    await backend.close();
    rmSync(folder, { recursive: true });
  });
}

const GUIDE = readDocument('docs/fields.md');
const readBlock = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(GUIDE)?.[1] ?? '';

const TEXTS = {
  company: { type: 'text', label: 'Company' },
  terms: { type: 'checkbox', label: 'Terms' },
  size: { type: 'text', label: 'Size' },
};

/** Hosts' pages as pasted, and the values that are stored after the visitor used every control. */
const PAGES = [
  {
    name: 'the guide',
    declared: JSON.parse(readBlock('json')),
    html: readBlock('html'),
    stored: { company: 'Acme', terms: 'I agree to the terms' },
  },
  {
    name: 'a box without a value',
    declared: TEXTS,
    html: `<early-access-form><div slot="fields"><input type="hidden" name="fields" value="1"><label>Company <input name="company" required></label><label><input type="checkbox" name="terms" required> I agree</label></div></early-access-form>`,
    stored: { company: 'Acme', terms: true },
  },
  {
    name: 'radio buttons, of which the first is picked',
    declared: TEXTS,
    html: `<early-access-form><div slot="fields"><label><input type="radio" name="size" value="1"> 1</label><label><input type="radio" name="size" value="2-10"> 2–10</label><label><input type="radio" name="size" value="11+"> 11+</label></div></early-access-form>`,
    stored: { size: '1' },
  },
  {
    name: 'a company that is called "on"',
    declared: TEXTS,
    html: '<early-access-form><div slot="fields"><input name="company" value="on"></div></early-access-form>',
    stored: { company: 'on' },
  },
  {
    name: 'a select with several choices, and a disabled control',
    declared: TEXTS,
    html: `<early-access-form><select slot="fields" name="size" multiple><option selected>1</option><option selected>2-10</option><option selected disabled>11+</option></select><input slot="fields" name="company" value="Acme" disabled></early-access-form>`,
    stored: { size: '1, 2-10' },
  },
];

for (const { name, declared, html, stored } of PAGES) {
  test(`the fields of a page as pasted are stored: ${name}`, async ({ page, site, email }) => {
    const folder = mkdtempSync(join(tmpdir(), 'early-access-pasted-'));
    const file = join(folder, 'fields.json');
    writeFileSync(file, JSON.stringify(declared));
    const backend = await startSelfHosted({ ALLOWED_ORIGINS: site.origin, SIGNUP_FIELDS: file });
    const { origin } = backend.server;
    const script = `<script src="${origin}/embed.js" defer></script>`;
    await page.goto(site.put(`<!doctype html><title>Pasted</title>${script}${html}`, `default-src 'self' ${origin}`));
    const field = page.getByLabel('Email address');
    await field.fill(email);
    // A single line, although the fields below it need more.
    expect(Math.round((await field.boundingBox())?.height ?? 0)).toBe(48);
    await fillRequired(page);
    const radios = page.locator('[type=radio]');
    if ((await radios.count()) > 0) await radios.first().check();
    await page.getByRole('button', { name: 'Join the beta' }).click();
    await expect(page.getByText("You're on the list!")).toBeVisible();
    const { fields } = (await backend.database.signup(email)) ?? {};
    expect(JSON.parse(String(fields))).toEqual(stored);
    await page.close();
    await backend.close();
    rmSync(folder, { recursive: true });
  });
}
