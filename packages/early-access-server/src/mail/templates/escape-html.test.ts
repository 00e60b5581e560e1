import { expect, it } from 'vitest';
import { escapeHtml } from './escape-html.ts';

it('escapes every character that could end a text or an attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>&</a>`)).toBe(
    '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;&#60;/a&#62;',
  );
});
