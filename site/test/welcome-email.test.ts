import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mustacheTemplate } from 'early-access-server/mail';
import { expect, it } from 'vitest';

const URL = 'https://printmargin.example/';
const UNSUBSCRIBE = 'mailto:hello@printmargin.example?subject=unsubscribe';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../mails', name), 'utf8');
const welcome = mustacheTemplate({
  subject: read('welcome.subject.txt'),
  text: read('welcome.txt'),
  html: read('welcome.html'),
});
const { subject, text, html } = welcome({
  name: 'PrintMargin',
  url: URL,
  host: 'printmargin.example',
  unsubscribeUrl: UNSUBSCRIBE,
  fields: {},
});

it('is byte for byte the email that PrintMargin sends', () => {
  const digest = (part: string) => createHash('sha256').update(part).digest('hex');
  expect([subject, text, html].map(digest)).toEqual([
    'cbd39acacdced5eb65b29eba68d329e7afef1b5eb578e9769608b6b571fd2a90',
    '25fe537414326848355c969ada27f68328ca97e8ceb9318e67d48c1baf4db000',
    '5fa03e9bd61dec472237433716aaae6fdd35b8b5c35283d8170570943028ca4e',
  ]);
});
