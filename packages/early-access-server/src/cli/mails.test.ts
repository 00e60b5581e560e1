import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { readTemplates } from '../mail/templates/template-files.ts';
import { runCommand } from './command.ts';
import { mails } from './mails.ts';

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const FIELDS = { company: { type: 'text', label: 'Company' } } as const;

/** Like React Email's own examples: a layout that emails share, Tailwind, a preview and a button. */
const LAYOUT = `import { Body, Container, Head, Html, Img, Preview, Tailwind } from '@react-email/components';
import type { ReactNode } from 'react';
export function Layout({ preview, logo, children }: { preview: string; logo: string; children: ReactNode }) {
  return (
    <Html lang="en"><Head /><Preview>{preview}</Preview>
      <Tailwind><Body className="bg-white font-sans"><Container>
        {'{{#logo}}'}<Img src={logo} alt="" height={40} />{'{{/logo}}'}
        {children}
      </Container></Body></Tailwind>
    </Html>
  );
}`;
const WELCOME = `import { Button, Heading, Link, Text } from '@react-email/components';
import type { MailProps } from 'early-access-server/mail';
import { Layout } from './parts/layout';
export const subject = ({ name }: MailProps) => \`You are on the list for \${name}\`;
export default function Welcome({ name, url, host, logo, unsubscribeUrl, fields }: MailProps) {
  return (
    <Layout preview={\`Welcome to \${name}\`} logo={logo}>
      <Heading>Welcome to {name}</Heading>
      <Text>Thank you for joining from {fields.company} & friends.</Text>
      <Button href={url}>Visit {host}</Button>
      <Link href={unsubscribeUrl}>Unsubscribe</Link>
    </Layout>
  );
}`;
const SIGN_IN = `export const subject = 'Sign in';
export const text = ({ link }) => 'Open ' + link;
export default ({ link, minutes }) => <a href={link}>Sign in within {minutes} minutes</a>;`;

function project(files: Readonly<Record<string, string>>, { isInstalled = true } = {}) {
  const root = tempFolder();
  if (isInstalled) symlinkSync(MODULES, join(root, 'node_modules'));
  const folder = join(root, 'emails');
  mkdirSync(join(folder, 'parts'), { recursive: true });
  writeFileSync(join(root, 'fields.json'), JSON.stringify(FIELDS));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  async function run(...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const env = { SIGNUP_FIELDS: join(root, 'fields.json') };
    const code = await runCommand({ mails }, ['mails', ...args], { env, stdout, stderr }, 'early-access-server');
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }
  return { root, folder, run };
}

it('makes templates of React Email components, which the server fills without React', async () => {
  const { folder, run } = project({ 'welcome.tsx': WELCOME, 'parts/layout.tsx': LAYOUT, 'sign-in.jsx': SIGN_IN });
  expect(() => readTemplates(folder, FIELDS)).toThrow(
    /welcome\.subject\.txt is missing; build it from welcome\.tsx: early-access-server mails build /,
  );
  const { code, out, err } = await run('build', folder);
  expect([code, err]).toEqual([0, '']);
  expect(out.match(/Wrote/g)).toHaveLength(6);
  expect(readdirSync(folder).toSorted()).toEqual([
    ...['parts', 'sign-in.html', 'sign-in.jsx', 'sign-in.subject.txt', 'sign-in.txt'],
    ...['welcome.html', 'welcome.subject.txt', 'welcome.tsx', 'welcome.txt'],
  ]);
  const templates = readTemplates(folder, FIELDS);
  const brand = { name: 'Fish & <Chips>', url: 'https://acme.example/', host: 'acme.example' };
  const person = { ...brand, unsubscribeUrl: 'https://acme.example/unsubscribe', fields: { company: '<b>Ltd</b>' } };
  const { subject, text, html } = templates.welcome(person);
  expect(subject).toBe('You are on the list for Fish & <Chips>');
  expect(html).toMatch(/^<!DOCTYPE html/);
  expect(html).toContain('Fish &#38; &#60;Chips&#62;');
  expect(html).toContain('&#60;b&#62;Ltd&#60;/b&#62;');
  expect(html).toContain('href="https://acme.example/unsubscribe"');
  // Tailwind's styles are inline, and unset props are omitted.
  expect(html).toContain('background-color:rgb(255,255,255)');
  expect(html).not.toMatch(/<img|\{\{/);
  expect(templates.welcome({ ...person, logo: 'https://acme.example/l.png' }).html).toContain(
    'src="https://acme.example/l.png"',
  );
  expect(text).toContain('Welcome to Fish & <Chips>');
  expect(text).toContain('joining from <b>Ltd</b> & friends');
  expect(text).toContain('https://acme.example/unsubscribe');
  expect(templates.signIn?.({ ...brand, link: 'https://acme.example/#t', minutes: 15 })).toMatchObject({
    ...{ subject: 'Sign in', text: 'Open https://acme.example/#t' },
    html: expect.stringContaining('within 15 minutes'),
  });
});

it('writes to another folder, and only if each email can be used', async () => {
  const { root, folder, run } = project({ 'welcome.tsx': WELCOME, 'parts/layout.tsx': LAYOUT, 'sign-in.jsx': SIGN_IN });
  const out = join(root, 'built');
  writeFileSync(join(folder, 'invite.tsx'), 'export const subject = "Hi"; export default () => <p>{"{{linc}}"}</p>;');
  const { code, err } = await run('build', folder, '--out', out);
  expect([code, err]).toEqual([1, expect.stringContaining('invite.tsx: text: there is no {{linc}}; use {{name}}')]);
  expect(readdirSync(root).toSorted()).toEqual(['emails', 'fields.json', 'node_modules']);
  writeFileSync(join(folder, 'invite.tsx'), 'export const subject = "Hi"; export default ({ link }) => <p>{link}</p>;');
  expect((await run('build', '--out', out, folder)).code).toBe(0);
  expect(readFileSync(join(out, 'invite.txt'), 'utf8')).toBe('{{link}}\n');
  expect(readdirSync(folder).filter((name) => /\.(html|txt|mjs)$/.test(name))).toEqual([]);
});

it.each([
  ['welcome.tsx', 'export default () => <p>', /welcome\.tsx: line 1: Unexpected end of file/],
  ['welcome.tsx', 'export default () => <p>Hi</p>;', /welcome\.tsx must export subject/],
  ['welcome.tsx', 'export const subject = "Hi";', /welcome\.tsx cannot be rendered: /],
  [
    'welcome.tsx',
    'export const subject = "a\\nb"; export default () => <p />;',
    /welcome\.tsx: subject: it must be one line/,
  ],
  ['welcome.tsx', 'throw new Error("no"); export const subject = "Hi";', /welcome\.tsx cannot be rendered: no/],
  ['welcome.tsx', 'import "no-such-package"; export const subject = "Hi";', /welcome\.tsx needs packages: npm install/],
  ['wellcome.tsx', WELCOME, /wellcome\.tsx is not an email; did you mean welcome\.tsx\?/],
  ['header.tsx', LAYOUT, /has no emails, such as welcome\.tsx/],
  ['welcome.html', '<p>', /has no emails, such as welcome\.tsx/],
])('says what is wrong with %s that is %j, and leaves nothing behind', async (name, text, message) => {
  const { folder, run } = project({ [name]: text });
  const { code, err } = await run('build', folder);
  expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(readdirSync(folder).toSorted()).toEqual(['parts', name].toSorted());
});

it('says what to install', async () => {
  const { folder, run } = project({ 'sign-in.jsx': SIGN_IN }, { isInstalled: false });
  const { code, err } = await run('build', folder);
  expect([code, err]).toEqual([1, expect.stringContaining('@react-email/render')]);
});

it.each([
  [[]],
  [['build']],
  [['make', 'emails']],
  [['build', 'emails', '--out']],
  [['build', 'emails', '--to', 'x']],
  [['build', '--out', 'x']],
])('prints the usage for %j', async (args) => {
  const { run } = project({});
  expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining('usage: mails build <folder>') });
});

it('names a folder that is not there', async () => {
  const { root, run } = project({});
  expect(await run('build', join(root, 'none'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read'),
  });
});
