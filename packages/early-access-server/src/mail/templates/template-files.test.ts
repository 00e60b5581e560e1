import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { readTemplates } from './template-files.ts';

const FILES = {
  'welcome.subject.txt': 'Welcome to {{name}}\n',
  'welcome.txt': '{{name}}: {{url}}\n\n-- \n{{unsubscribeUrl}}\n',
  'welcome.html': '<p>{{name}} <a href="{{url}}">{{host}}</a>{{#logo}}<img src="{{logo}}">{{/logo}}\n',
};
const data = {
  name: 'Fish & <Chips>',
  url: 'https://acme.example/?a="1"',
  host: 'acme.example',
  unsubscribeUrl: 'mailto:hello@acme.example',
  fields: {},
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'templates-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

describe('readTemplates', () => {
  it('replaces the placeholders and escapes them only in the HTML', async () => {
    await write(FILES);
    expect(readTemplates(folder).welcome(data)).toEqual({
      subject: 'Welcome to Fish & <Chips>',
      text: 'Fish & <Chips>: https://acme.example/?a="1"\n\n-- \nmailto:hello@acme.example',
      html: '<p>Fish &#38; &#60;Chips&#62; <a href="https://acme.example/?a=&#34;1&#34;">acme.example</a>\n',
    });
    expect(readTemplates(folder).welcome({ ...data, logo: 'https://acme.example/l.png' }).html).toContain(
      '<img src="https://acme.example/l.png">',
    );
  });

  it('shares a file of the folder, which is named if it is missing', async () => {
    await write({ ...FILES, 'welcome.html': '<body>{{> frame.html}}</body>', 'frame.html': '<p>{{name}}\n' });
    expect(readTemplates(folder).welcome(data).html).toBe('<body><p>Fish &#38; &#60;Chips&#62;</body>');
    await rm(join(folder, 'frame.html'));
    expect(() => readTemplates(folder)).toThrow(`MAIL_TEMPLATES: ${join(folder, 'frame.html')} is missing; add it`);
    await write({ 'frame.html': '{{> frame.html}}' });
    expect(() => readTemplates(folder)).toThrow(
      '{{> frame.html}} must name a file of the folder, such as {{> frame.html}}, which includes no other',
    );
  });

  it('does not expand a placeholder inside a value', async () => {
    await write(FILES);
    expect(readTemplates(folder).welcome({ ...data, name: '{{url}}' }).subject).toBe('Welcome to {{url}}');
  });

  it.each(Object.keys(FILES))('names %s if it is missing', async (name) => {
    await write(FILES);
    await rm(join(folder, name));
    expect(() => readTemplates(folder)).toThrow(ConfigError);
    expect(() => readTemplates(folder)).toThrow(`MAIL_TEMPLATES: ${join(folder, name)} is missing; add it`);
  });

  it.each([
    ['welcome.html', '<p>{{name', 'Unclosed tag'],
    ['welcome.html', '{{#logo}}<img>', 'Unclosed section'],
    ['welcome.html', '<p>{{naem}}', 'there is no {{naem}}; use {{name}}, {{url}}'],
    ['welcome.html', '{{#logo}}{{email}}{{/logo}}', 'there is no {{email}}'],
    ['welcome.txt', '{{> footer}}', '{{> footer}} must name a file of the folder'],
    ['welcome.txt', '{{> ../../secrets.txt }}', 'must name a file of the folder'],
    ['welcome.txt', new Uint8Array([0x57, 0xfc, 0x72]), 'not valid for encoding utf-8'],
    ['welcome.subject.txt', 'Welcome\nto {{name}}', 'it must be one line'],
    ['welcome.subject.txt', ' \n', 'it must be one line'],
  ])('names %s if it holds %j', async (name, content, reason) => {
    await write({ ...FILES, [name]: content });
    expect(() => readTemplates(folder)).toThrow(ConfigError);
    expect(() => readTemplates(folder)).toThrow(reason);
    expect(() => readTemplates(folder)).toThrow(join(folder, name));
  });
});
