import type { FieldDeclarations } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import type { ComposableMessage } from '../../app/ports/mail-composer.ts';
import { welcomeMessage } from '../templates/fixtures/example.ts';
import { mustacheTemplate } from '../templates/template.ts';
import { withFields } from './campaign-fields.ts';
import { messageComposer } from './message-composer.ts';

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

  it('gets the label of a choice, and what is stored if it asks for the value', () => {
    const chosen = {
      role: { type: 'select', label: 'Role', options: [{ value: 'shop', label: 'Shop & <owner>' }] },
    } as const;
    const welcome = mustacheTemplate(
      {
        subject: '{{fields.role}}',
        text: '{{fields.role}} {{fields.role.value}} https://acme.example/?r={{fields.role.value}}&l={{fields.role}}',
        html: '{{#fields.role.value}}<b>{{fields.role}}</b>{{/fields.role.value}}',
      },
      'welcome',
      chosen,
    );
    const { subject, text, html } = compose({ fields: { role: 'shop' } }, { templates: { welcome } });
    expect(subject).toBe('Shop & <owner>');
    expect(text).toBe('Shop & <owner> shop https://acme.example/?r=shop&l=Shop%20%26%20%3Cowner%3E');
    expect(html).toBe('<b>Shop &#38; &#60;owner&#62;</b>');
    expect(compose({ fields: { role: 'gone' } }, { templates: { welcome } }).subject).toBe('gone');
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

/** Would lead elsewhere, if it was written into a link as it is. */
const LEADS_ELSEWHERE = '@evil.example/#&to=x';
const ENCODED = '%40evil.example%2F%23%26to%3Dx';

describe('a field inside a link', () => {
  const html = (target: string) => `<a href="${target}">Your page</a>`;
  const fields = { company: LEADS_ELSEWHERE };

  it.each([
    ['{{url}}join?c={{fields.company}}', `https://acme.example/join?c=${ENCODED}`],
    [
      'https://{{host}}/{{#fields.company}}{{ fields.company }}/x{{/fields.company}}',
      `https://acme.example/${ENCODED}/x`,
    ],
    ['mailto:us@acme.example?subject={{fields.company}}', `mailto:us@acme.example?subject=${ENCODED}`],
  ])('of a template is encoded: %s', (target, expected) => {
    const parts = { subject: 'Hi', text: `See ${target}\nor {{fields.company}}`, html: html(target) };
    const templates = { welcome: mustacheTemplate(parts, 'welcome', declarations) };
    expect(compose({ fields }, { templates })).toMatchObject({
      text: `See ${expected}\nor ${LEADS_ELSEWHERE}`,
      html: html(expected),
    });
  });

  it.each([
    '{{fields.company}}',
    'https://{{fields.company}}',
    'https://{{fields.company}}.acme.example/',
    'https://acme.example{{fields.company}}',
    'https://acme.example:{{fields.company}}/',
    'mailto:{{fields.company}}',
    'javascript:{{fields.company}}',
  ])('cannot choose where a link of a template or a campaign leads: %s', (target) => {
    const message = '{{fields.company}} would choose where a link leads';
    const parts = { subject: 'Hi', text: 'Hi', html: `<a href='${target}'>x</a>` };
    expect(() => mustacheTemplate(parts, 'welcome', declarations)).toThrow(message);
    const style = { ...parts, html: `<p style="background:url('${target}')">` };
    expect(() => mustacheTemplate(style, 'welcome', declarations)).toThrow(message);
    if (target.startsWith('javascript:')) return;
    expect(() => compose({ ...campaign('Hi', `[x](${target})`), fields })).toThrow(message);
  });

  it('of a campaign is encoded, in the path and in the query, and as text beside it is not', () => {
    const body = [
      '[Your page of {{fields.company}}](https://acme.example/{{fields.company}}?c={{fields.company}})',
      'https://acme.example/?c={{fields.company}}',
      '![](https://acme.example/{{fields.company}}.png)',
      '(https://acme.example) {{fields.company}}',
    ].join('\n\n');
    const { text, html } = compose({ ...campaign('Hi', body), fields });
    const targets = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, target]) => target);
    expect(targets).toEqual(
      expect.arrayContaining([
        `https://acme.example/${ENCODED}?c=${ENCODED}`,
        `https://acme.example/?c=${ENCODED}`,
        `https://acme.example/${ENCODED}.png`,
      ]),
    );
    expect(text).toContain(`Your page of ${LEADS_ELSEWHERE}`);
    expect(text.replaceAll('\n', ' ')).toContain(`(https://acme.example/${ENCODED}?c=${ENCODED})`);
    expect(text).toContain(`(https://acme.example) ${LEADS_ELSEWHERE}`);
    expect(text.match(/@evil/g)).toHaveLength(2);
  });

  it('may contain half of a character', () => {
    expect(withFields('https://acme.example/{{fields.a}}', String)({ a: '\ud800x' })).toBe(
      'https://acme.example/%EF%BF%BDx',
    );
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
    const words = (written: string) => written.replace(/\s+/g, ' ');
    expect(words(text)).toContain(words(`${HOSTILE}\n\nHello ${HOSTILE}, 2`));
    expect(html).toContain('<code>2</code>');
    expect(html).not.toMatch(/<script|<b>|href="javascript/);
    expect(html.match(/&#60;script&#62;/g)).toHaveLength(3);
  });

  it('gets the label of a choice, and what is stored if it asks for the value', () => {
    const fields = {
      role: { type: 'select', label: 'Role', options: ['maker', { value: 'shop', label: 'Shop owner' }] },
    } as const;
    const body = '# {{fields.role}}\n\nAs {{fields.role}}: [go](https://acme.example/?r={{fields.role.value}})';
    const message = campaign('{{fields.role}}, {{ FIELDS.role.VALUE }}', body);
    const { subject, text, html } = compose({ ...message, fields: { role: 'shop' } }, { fields });
    expect(subject).toBe('Shop owner, shop');
    expect(text).toContain('As Shop owner: go (https://acme.example/?r=shop)');
    expect(html).toContain('href="https://acme.example/?r=shop"');
    expect(compose({ ...message, fields: { role: 'maker' } }, { fields }).subject).toBe('maker, maker');
    // A choice that is no longer declared.
    expect(compose({ ...message, fields: { role: 'gone' } }, { fields }).subject).toBe('gone, gone');
  });

  it('says something else to those who have entered nothing', () => {
    const body =
      'Hello{{#fields.company}} at {{fields.company}}{{/fields.company}}{{^fields.company}} there{{/fields.company}}!';
    const message = campaign('Hi', body);
    expect(compose({ ...message, fields: { company: 'Acme' } }).text).toMatch(/Hello at\s+Acme!/);
    expect(compose({ ...message, fields: {} }).text).toMatch(/Hello\s+there!/);
  });

  it.each(['{{name}}', '{{#x}}', 'a {{{b}}}', '{{/c}}', 'a {{'])(
    'is refused with %s, which people would see',
    (text) => {
      const problem = /: there is no \{\{/;
      expect(() => compose(campaign(text, 'Hello'))).toThrow(problem);
      expect(() => compose(campaign('Hello', text))).toThrow(problem);
      expect(() => compose(campaign('{{fields.company}}', text))).toThrow(problem);
    },
  );

  it('is refused if its tags cannot be read', () => {
    expect(() => withFields('{{#fields.company}}', String)).toThrow('Unclosed section');
    expect(() => withFields('{{fields.a}} {{{fields.a}}}', String)).toThrow('would not be escaped');
    expect(() => withFields('{{fields.a}} {{name}}', String)).toThrow('there is no {{name}}; use {{fields.a}}');
  });
});
