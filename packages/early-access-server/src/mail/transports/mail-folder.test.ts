import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { mailFolder } from './mail-folder.ts';

it('overwrites the copies of a person before it deletes them, and no others', async () => {
  const [folder, elsewhere] = [tempFolder(), tempFolder()];
  const content = (to: string) => `From: a@acme.example\r\nTo: ${to}\r\n\r\nHello ${to}\r\n`;
  for (const name of ['ada', 'bob']) writeFileSync(join(folder, `${name}.eml`), content(`${name}@example.org`));
  linkSync(join(folder, 'ada.eml'), join(elsewhere, 'same-bytes'));
  expect(await mailFolder(folder).remove('ada@example.org', [])).toBe(1);
  expect(readdirSync(folder)).toEqual(['bob.eml']);
  const { length } = content('ada@example.org');
  expect(readFileSync(join(elsewhere, 'same-bytes'))).toEqual(Buffer.alloc(length));
});
