import { webUrl } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { emailFields, MAX_EMAIL_VALUE } from './email-fields.ts';

const fieldsOf = (value: string) => emailFields({ text: value, news: true }, true);

it('an unconfirmed address gets no text of a visitor', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (fields) => {
      expect(emailFields(fields, false)).toEqual({});
    }),
  );
});

it.each([
  'https://evil.example/login',
  'Visit evil.example now',
  'www.evil',
  'mailto:a',
  'a@evil',
  'ev\u200bil．example',
  'tel:1',
  'evil。example',
])('no text with a link is in an email: %s', (value) => {
  expect(fieldsOf(value)).toEqual({ news: true });
});

it('no text hides a host in other text', () => {
  fc.assert(
    fc.property(fc.string(), webUrl, fc.string(), (before, url, after) => {
      const { text = '' } = fieldsOf(`${before} ${url} ${after}`);
      expect(String(text)).not.toMatch(/\w:\/\/\w/);
    }),
  );
});

it('other texts are short, and on one line', () => {
  expect(fieldsOf('Söhne & Co. — 漢字\n2. line')).toEqual({ text: 'Söhne & Co. — 漢字 2. line', news: true });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (value) => {
      const { text = '' } = fieldsOf(value);
      expect([...String(text)].length).toBeLessThanOrEqual(MAX_EMAIL_VALUE);
      expect(String(text)).not.toMatch(/\p{Cc}/u);
    }),
  );
});
