import { readdirSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localMail } from './local-mail.ts';

it('writes each email to a file, and prints its link, but no address', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const folder = path.join(tempFolder(), 'mail');
  const link = 'http://localhost:5000/confirm#token=a-b_C';
  const email = {
    ...{ from: 'hello@example.com', to: 'ada@example.org', subject: 'Please confirm', messageId: '<1@example.com>' },
    ...{ text: `Hello,\n${link}\nBye`, html: `<a href="${link}">Confirm</a>`, headers: {} },
  };
  expect(await localMail(folder).deliver(email)).toMatchObject({ outcome: 'sent' });
  await localMail(folder).deliver({ ...email, messageId: '<2@example.com>', text: 'No link' });
  expect(write.mock.calls).toEqual([[`Please confirm: ${link}\n`]]);
  expect(readdirSync(folder)).toHaveLength(2);
});
