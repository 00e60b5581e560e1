import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleEmail } from '../templates/fixtures/example.ts';
import { fileTransport, toFileName } from './file-transport.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'welcome-email-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('fileTransport', () => {
  it('writes the whole email to a private file and creates its folder', async () => {
    const folder = join(root, 'data', 'mail');
    const email = exampleEmail();
    const result = await fileTransport({ folder }).deliver(email);
    const [name = '', ...others] = await readdir(folder);
    expect(result).toEqual({ outcome: 'sent', file: join(folder, name) });
    expect(others).toEqual([]);
    expect(name).toBe('3b8e7f5a-0000-4000-8000-000000000001@acme.example.eml');
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const mail = await PostalMime.parse(await readFile(join(folder, name)));
    expect(mail.to).toEqual([{ name: '', address: 'ada@example.org' }]);
    expect(mail.from).toEqual({ name: 'Acme', address: 'hello@acme.example' });
    expect(mail.subject).toBe(email.subject);
    expect(mail.messageId).toBe(email.messageId);
    expect(mail.text?.replace(/\r\n/g, '\n').trim()).toBe(email.text);
    expect(mail.html?.replace(/\r\n/g, '\n').trim()).toBe(email.html.trim());
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')).toBe(email.headers['List-Unsubscribe']);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(Math.abs(Date.parse(mail.date ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('breaks no line, so that a long link can be copied from the file, and no letter is encoded', async () => {
    const link = `http://localhost:4173/confirm#token=${'a'.repeat(43)}&next=${'%C3%A9=='.repeat(20)}`;
    const text = `Bitte bestätige, Zoë:\n${link}\n.\nFrom here`;
    const email = { ...exampleEmail(), text, html: `<p>Zoë</p><a href="${link}">Weiter</a>` };
    await fileTransport({ folder: root }).deliver(email);
    const [name = ''] = await readdir(root);
    const file = await readFile(join(root, name), 'utf8');
    expect(file).toContain(`\r\nBitte bestätige, Zoë:\r\n${link}\r\n`);
    expect(file).toContain(`<a href="${link}">Weiter</a>`);
    const mail = await PostalMime.parse(await readFile(join(root, name)));
    expect(mail.text?.replace(/\r\n/g, '\n').trim()).toBe(text);
  });

  it('writes one file if the same email is delivered twice', async () => {
    const transport = fileTransport({ folder: root });
    await Promise.all([transport.deliver(exampleEmail()), transport.deliver(exampleEmail())]);
    expect(await readdir(root)).toHaveLength(1);
  });

  it('returns a temporary failure without a path if the file cannot be written', async () => {
    const folder = join(root, 'file');
    await writeFile(folder, '');
    expect(await fileTransport({ folder }).deliver(exampleEmail())).toEqual({
      outcome: 'refused',
      refusal: 'unreachable',
      reason: expect.stringMatching(/: (EEXIST|ENOTDIR)$/),
    });
  });

  it('refuses an address that the file would not contain unchanged', async () => {
    const result = await fileTransport({ folder: root }).deliver(exampleEmail('v@x.io,w@y.io'));
    expect(result).toMatchObject({ outcome: 'refused', refusal: 'content' });
    expect(await readdir(root)).toEqual([]);
  });
});

describe('toFileName', () => {
  it('cannot lead out of the folder and is unique for each id', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        expect(toFileName(`<${a}>`)).toMatch(/^[\w@-][\w@.-]*\.eml$/);
        if (a !== b) expect(toFileName(`<${a}>`)).not.toBe(toFileName(`<${b}>`));
      }),
    );
    expect(toFileName('<../../etc/passwd@x.io>')).toMatch(/^_._.._etc_passwd@x\.io-[0-9a-f]{16}\.eml$/);
  });
});
