import { expect, test } from 'vitest';
import { SHOWN_FIELDS } from '../testing/fields.fixture.ts';
import { subjectText } from './subject-text.ts';

test.each([
  ['We launch on Tuesday', 'We launch on Tuesday'],
  ['News for {{fields.company}}', 'News for [Company]'],
  ['News for {{ FIELDS.Company.value }}', 'News for [Company]'],
  ['Hi {{fields.company}}{{^fields.company}}there{{/fields.company}}', 'Hi [Company]'],
  ['Hi{{#fields.company}}, {{fields.company}}{{/fields.company}}!', 'Hi, [Company]!'],
  ['For {{fields.gone}}', 'For [gone]'],
  ['Not a field: {{name}}', 'Not a field: {{name}}'],
  ['', ''],
])('“%s” is shown as “%s”', (subject, shown) => {
  expect(subjectText(subject, SHOWN_FIELDS)).toBe(shown);
});
