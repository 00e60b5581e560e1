import type { FieldDeclarations } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { fieldsNamedIn, withFields } from './campaign-fields.ts';
import { welcomeMessage } from './fixtures/example.ts';
import { type ComposableMessage, messageComposer } from './message-composer.ts';
import { mustacheTemplate } from './template.ts';

const HOSTILE = `</p><script>alert(1)</script> & "O'Brien" {{name}} [x](javascript:alert(1)) <b>\u2028Bcc: w@y.io`;
const declarations: FieldDeclarations = {
  company: { type: 'text', label: 'Company', maxLength: 200 },
  team_size: { type: 'select', label: 'Team', options: ['1', '2'] },
};
const options = { from: 'Acme <hello@acme.example>', brand: { name: 'Acme', url: 'https://acme.example/' } };

function compose(message: Partial<ComposableMessage>, welcome = {}) {
  const signup = welcomeMessage({ email: 'ada@example.org', messageKey: 'key-1' });
  return messageComposer({ ...options, ...welcome })({ ...signup, ...message });
}

const campaign = (subject: string, body: string) => ({ kind: 'campaign', campaign: { subject, body } }) as const;

describe('a template', () => {
  const parts = {
    subject: 'Welcome, {{fields.company}}!',
    text: '{{#fields.team_size}}Team of {{fields.team_size}}: {{/fields.team_size}}{{fields.company}}\n',
    html: '<p title="{{fields.company}}">{{fields.company}}</p>',
  };
  const templates = { welcome: mustacheTemplate(parts, 'welcome', declarations) };

  it('gets what the person has entered, escaped in the HTML and on one line in the subject', () => {
    const { subject, text, html } = compose({ fields: { company: HOSTILE } }, { templates });
    expect(subject).toBe(`Welcome, ${HOSTILE.replace('\u2028', ' ')}!`);
    expect(text).toBe(HOSTILE);
    expect(html).not.toMatch(/<script|<b>|title="[^"]*"[^>]/);
    expect(html).toContain('&#60;script&#62;');
  });

  it('gets nothing of a person who has entered nothing', () => {
    expect(compose({ fields: {} }, { templates })).toMatchObject({
      subject: 'Welcome, !',
      text: '',
      html: '<p title=""></p>',
    });
    expect(compose({ fields: { company: 'Acme', team_size: '2' } }, { templates }).text).toBe('Team of 2: Acme');
  });

  it.each([
    ['{{fields.compny}}', 'html: there is no {{fields.compny}}; use '],
    ['{{{fields.company}}}', 'html: {{{fields.company}}} would not be escaped; use {{fields.company}}'],
    ['{{& fields.company}}', 'would not be escaped'],
    ['{{fields.constructor}}', 'there is no {{fields.constructor}}'],
  ])('cannot contain %s', (html, message) => {
    expect(() => mustacheTemplate({ ...parts, html }, 'welcome', declarations)).toThrow(message);
  });

  it('to an admin has no fields', () => {
    expect(() => mustacheTemplate(parts, 'weekly', declarations)).toThrow('there is no {{fields.company}}');
  });
});

describe('an email to many people', () => {
  it('gets what the person has entered, which is no Markdown and no HTML', () => {
    const body = '# {{fields.company}}\n\nHello *{{ fields.company }}*, `{{fields.team_size}}`';
    const { subject, text, html } = compose({
      ...campaign('For {{fields.company}}', body),
      fields: { company: HOSTILE, team_size: '2' },
    });
    expect(subject).toBe(`For ${HOSTILE.replace('\u2028', ' ')}`);
    expect(text).toContain(`${HOSTILE}\n\nHello ${HOSTILE}, 2`);
    expect(html).toContain('<code>2</code>');
    expect(html).not.toMatch(/<script|<b>|href="javascript/);
    expect(html.match(/&#60;script&#62;/g)).toHaveLength(3);
  });

  it('says something else to those who have entered nothing', () => {
    const body =
      'Hello{{#fields.company}} at {{fields.company}}{{/fields.company}}{{^fields.company}} there{{/fields.company}}!';
    const message = campaign('Hi', body);
    expect(compose({ ...message, fields: { company: 'Acme' } }).text).toMatch(/Hello at\s+Acme!/);
    expect(compose({ ...message, fields: {} }).text).toMatch(/Hello\s+there!/);
  });

  it('without fields stays as it was written', () => {
    const { subject, text } = compose({
      ...campaign('{{name}} {{#x}}', 'a {{{b}}} {{/c}} {{'),
      fields: { company: 'Acme' },
    });
    expect([subject, text]).toEqual(['{{name}} {{#x}}', expect.stringContaining('a {{{b}}} {{/c}} {{')]);
  });

  it('is refused if its tags cannot be read', () => {
    expect(() => withFields('{{#fields.company}}', String)).toThrow('Unclosed section');
    expect(() => withFields('{{fields.a}} {{{fields.a}}}', String)).toThrow('would not be escaped');
    expect(() => withFields('{{fields.a}} {{name}}', String)).toThrow('there is no {{name}}; use {{fields.a}}');
    expect(fieldsNamedIn('{{fields.a}} {{#FIELDS.B_1}}{{/fields.b_1}} {{fields.}} {{name}}')).toEqual(['a', 'b_1']);
  });
});
