import PostalMime from 'postal-mime';
import { describe, expect, it, vi } from 'vitest';
import { LANGUAGES, readPrimaryTag } from '../../app/brand/language.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { MessageKind } from '../../app/mail/message-kinds.ts';
import type { ComposableMessage } from '../../app/ports/mail-composer.ts';
import { toMessage } from '../mime.ts';
import { welcomeMessage } from '../templates/fixtures/example.ts';
import { messageComposer } from './message-composer.ts';

const options = { from: 'Acme <hello@acme.example>', brand: { name: 'Acme', url: 'https://acme.example/' } };
const signup = welcomeMessage({ email: 'ada@example.org', messageKey: 'key-1' });

describe('messageComposer', () => {
  it('gives every attempt of a signup the same Message-ID and unsubscribe link', () => {
    const compose = messageComposer(options);
    const email = compose(signup);
    expect(email).toMatchObject({
      to: 'ada@example.org',
      from: 'Acme <hello@acme.example>',
      subject: 'You’re on the list for Acme',
      messageId: '<key-1@acme.example>',
      headers: { 'List-Unsubscribe': '<mailto:hello@acme.example?subject=unsubscribe>' },
    });
    expect(compose(signup)).toEqual(email);
  });

  it('writes to each person in the language of their signup, and to others in that of the setting', () => {
    const compose = messageComposer({
      ...options,
      language: 'de',
      siteUrl: 'https://acme.example/',
      statusPage: true,
      invites: true,
    });
    const tokens = { unsubscribe: 'u', status: 's', link: 'l' };
    const campaign = { subject: 'Neu', body: 'Hallo' };
    for (const kind of ['welcome', 'confirmation', 'reminder', 'correction', 'invite', 'status', 'campaign'] as const) {
      for (const [given, language] of [
        ...LANGUAGES.map((known) => [readPrimaryTag(known), known] as const),
        [null, 'de'],
        ['sv', 'de'],
        ['x'.repeat(3), 'de'],
      ] as const) {
        const { html } = compose({ ...signup, kind, tokens, language: given, campaign });
        expect([kind, given, /<html lang="([^"]+)"/.exec(html)?.[1]]).toEqual([kind, given, language]);
      }
    }
    const { subject } = messageComposer({
      ...options,
      templates: { welcome: () => ({ subject: 'Own', text: 'o', html: 'o' }) },
    })({
      ...signup,
      language: 'de',
    });
    expect(subject).toBe('Own');
  });

  it('leaves the text of an admin in its own language and direction, whatever the reader’s', () => {
    const compose = messageComposer({ ...options, language: 'de', siteUrl: 'https://acme.example/' });
    const read = (language: string | null) => {
      const tokens = { unsubscribe: 'u', status: null, link: null };
      const campaign = { subject: 'Neu', body: 'Hallo' };
      const { subject, text, html } = compose({ ...signup, kind: 'campaign', tokens, language, campaign });
      return { subject, text, wrapped: /<div lang="de" dir="ltr">.*Hallo/s.test(html), html };
    };
    expect(read(null)).toMatchObject({ subject: 'Neu', wrapped: false, text: expect.stringContaining('Abmelden') });
    expect(read('ar')).toMatchObject({ subject: 'Neu', wrapped: true, text: expect.stringContaining('Hallo') });
    expect(read('ar').html).toContain('<html lang="ar" dir="rtl">');
    expect(read('ar').text).not.toContain('Abmelden');
    expect(read('fr').text).toContain('désabonner');
  });

  it('uses the template of the host and passes it the brand and the links', () => {
    const compose = messageComposer({
      ...options,
      templates: {
        welcome: ({ name, url, host, unsubscribeUrl }) => ({
          subject: `Welcome to ${name}`,
          text: [url, host, unsubscribeUrl].join(' '),
          html: '<p>Welcome',
        }),
      },
    });
    expect(compose(signup)).toMatchObject({
      subject: 'Welcome to Acme',
      text: 'https://acme.example/ acme.example mailto:hello@acme.example?subject=unsubscribe',
      html: '<p>Welcome',
      messageId: '<key-1@acme.example>',
    });
  });

  it('escapes URLs and names', () => {
    const { headers, html } = messageComposer({
      from: "o'brien&co@acme.example",
      brand: { name: '</title><script>alert(1)</script>', url: 'https://acme.example/"><script>alert(1)</script>' },
    })(signup);
    expect(headers['List-Unsubscribe']).toMatch(/^<mailto:[^<>\s"]+>$/);
    expect(html).not.toContain('<script');
  });

  it.each([
    { brand: { name: 'Acme', url: 'javascript:alert(1)' } },
    { brand: { name: 'Acme', url: 'acme.example' } },
    { brand: { name: 'Acme\r\nBcc: v@x.io', url: 'https://acme.example' } },
    { from: 'Acme' },
    {
      templates: {
        welcome: () => {
          throw new Error('no such file');
        },
      },
    },
  ])('throws for %j when it is created', (wrong) => {
    expect(() => messageComposer({ ...options, ...wrong })).toThrow(ConfigError);
  });
});

const linked = { ...options, siteUrl: 'https://acme.example/', invites: true };
const TOKENS = { unsubscribe: 'u'.repeat(43), status: 's'.repeat(43), link: 'l'.repeat(43) };
const NONE = { unsubscribe: null, status: null, link: null };
const MAILTO = '<mailto:hello@acme.example?subject=unsubscribe>';

function message(kind: MessageKind, changes: Partial<ComposableMessage> = {}): ComposableMessage {
  return { ...signup, kind, tokens: TOKENS, ...changes };
}

describe('the links of an email', () => {
  it.each([
    ['confirmation', `https://acme.example/confirm#token=${TOKENS.link}`],
    ['reminder', `https://acme.example/confirm#token=${TOKENS.link}`],
    ['correction', `https://acme.example/confirm#token=${TOKENS.link}`],
    ['invite', `https://acme.example/invite#invite=${TOKENS.link}`],
  ] as const)('of a %s lead to its page, with the token in the fragment', (kind, link) => {
    const onLink = vi.fn();
    const { text, html } = messageComposer({ ...linked, onLink })(message(kind));
    expect(text).toContain(link);
    expect(html).toContain(`href="${link}"`);
    expect(onLink.mock.calls).toEqual([[link, kind === 'invite' ? 'invite' : 'confirm']]);
  });

  it('of an email that was asked for lead to the status page, and once', () => {
    const { text, html } = messageComposer({ ...linked, statusPage: true })(
      message('status', { tokens: { ...TOKENS, link: null } }),
    );
    const link = `https://acme.example/status#token=${TOKENS.status}`;
    expect([text.split(link).length, html.split(`href="${link}"`).length]).toEqual([2, 2]);
  });

  it.each([
    ['welcome', {}],
    ['confirmation', {}],
    ['reminder', {}],
    ['invite', {}],
    ['campaign', { campaign: { subject: 'Hello', body: 'Hello' } }],
  ] as const)('of a %s let the person unsubscribe on a page and with one click', (kind, changes) => {
    const { headers, text, html } = messageComposer(linked)(message(kind, changes));
    expect(headers).toEqual({
      'List-Unsubscribe': `<https://acme.example/api/unsubscribe?token=${TOKENS.unsubscribe}>, ${MAILTO}`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...(kind === 'campaign' && { 'List-Id': '<early-access.acme.example>' }),
      'Auto-Submitted': 'auto-generated',
    });
    const page = `https://acme.example/unsubscribe?token=${TOKENS.unsubscribe}`;
    expect(text).toContain(`\n${page}`);
    expect(html).toContain(`href="${page}"`);
    expect(html).toContain('>Unsubscribe</a>');
  });

  it.each([
    [linked, { ...NONE, link: TOKENS.link }],
    [options, TOKENS],
  ])('ask to reply without a token, and without a site', (composer, tokens) => {
    const { headers, text } = messageComposer(composer)(message('welcome', { tokens }));
    expect(headers).toEqual({ 'List-Unsubscribe': MAILTO, 'Auto-Submitted': 'auto-generated' });
    expect(text).toContain('mailto:hello@acme.example');
  });

  it('lead to the status page if there is one, but not in an email to an address that may be another person’s', () => {
    const link = `https://acme.example/status#token=${TOKENS.status}`;
    const compose = messageComposer({ ...linked, statusPage: true });
    const { text, html } = compose(message('welcome'));
    expect(text).toContain(`Open your page:\n${link}\n\nWasn’t you`);
    expect(html).toContain(`href="${link}"`);
    for (const email of [
      messageComposer(linked)(message('welcome')),
      messageComposer({ ...options, statusPage: true })(message('welcome')),
      compose(message('correction', { tokens: { ...NONE, link: TOKENS.link } })),
    ]) {
      expect(email.text + email.html).not.toContain('/status');
    }
  });

  it('of a notice lead to the dashboard, and no one unsubscribes', () => {
    const notice = { type: 'signups', signups: 2, since: Date.UTC(2026, 2, 16, 9) } as const;
    const { subject, headers, text } = messageComposer(linked)(message('notice', { notice, tokens: NONE }));
    expect(subject).toBe('Acme: 2 new signups');
    expect(text.replace(/\s+/g, ' ')).toContain('2 new signups since 16 March 2026 at 09:00 UTC');
    expect(text).toContain('https://acme.example/admin');
    expect(headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
  });

  it.each([
    ['confirmation', { tokens: NONE }],
    ['invite', { tokens: NONE }],
    ['status', {}],
    ['campaign', {}],
    ['notice', {}],
  ] as const)('a %s that lacks what it is about is not composed', (kind, changes) => {
    expect(() => messageComposer(linked)(message(kind, changes))).toThrow('cannot be composed');
  });

  it('an invitation without the page that takes it is not composed', () => {
    expect(() => messageComposer({ ...linked, invites: false })(message('invite'))).toThrow('INVITE_URL');
  });
});

describe('campaigns', () => {
  const postalAddress = 'Acme & Sons, 1 Main Street';

  it('have the postal address in the footer, and no other email has', () => {
    const compose = messageComposer({ ...linked, postalAddress });
    const { text, html } = compose(message('campaign', { campaign: { subject: 'Hello', body: 'Hello' } }));
    expect(text).toMatch(/\n\nAcme & Sons, 1 Main Street$/);
    expect(html).toContain('<br>Acme &#38; Sons, 1 Main Street</p>');
    for (const kind of ['welcome', 'confirmation', 'reminder', 'invite'] as const) {
      expect(compose(message(kind)).text).not.toContain('Main Street');
    }
  });

  it('do not claim that the person entered the address, because they may have been imported', () => {
    const { text } = messageComposer(linked)(message('campaign', { campaign: { subject: 'Hello', body: 'Hello' } }));
    expect(text.replace(/\s+/g, ' ')).toContain(
      'You received this email because this address was added to the list of https://acme.example/',
    );
  });

  it('have a link of each person, and the text that each message brings', () => {
    const compose = messageComposer(linked);
    const text = (body: string, unsubscribe: string) =>
      compose(message('campaign', { campaign: { subject: 'Hello', body }, tokens: { ...NONE, unsubscribe } })).text;
    expect(text('First', 'a')).toMatch(/^First\n[\s\S]*token=a$/);
    expect(text('First', 'b')).toMatch(/^First\n[\s\S]*token=b$/);
    expect(text('Second', 'b')).toMatch(/^Second\n/);
  });

  it('that are nested too deeply are refused', () => {
    const campaign = { subject: 'Hello', body: '>'.repeat(20_000) };
    expect(() => messageComposer(linked)(message('campaign', { campaign }))).toThrow('nested too deeply');
  });
});

describe('replies', () => {
  const replyTo = 'Jürgen <help@acme.example>';

  it('and requests to unsubscribe go to the address for them, and replies of admins to the sender', async () => {
    const compose = messageComposer({ ...linked, replyTo });
    const sent = await toMessage(compose(message('welcome')));
    if ('outcome' in sent) throw new Error(sent.reason);
    const parsed = await PostalMime.parse(sent.raw);
    expect(parsed.replyTo).toEqual([{ name: 'Jürgen', address: 'help@acme.example' }]);
    expect(compose(message('welcome')).headers['List-Unsubscribe']).toContain(
      '<mailto:help@acme.example?subject=unsub',
    );
    const notice = { type: 'signups', signups: 2, since: 0 } as const;
    expect(compose(message('notice', { notice })).headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
  });

  it('need an address that can be used', () => {
    expect(() => messageComposer({ ...linked, replyTo: 'nobody' })).toThrow(ConfigError);
  });
});

describe('the headers as they are sent', () => {
  it('hold the unsubscribe link unfolded, and a subject that cannot start a header', async () => {
    const campaign = { subject: `Line\r\nBcc: victim@example.org\u2028${'long '.repeat(60)}`, body: 'Hello' };
    const email = messageComposer(linked)(message('campaign', { campaign }));
    const sent = await toMessage(email);
    if ('outcome' in sent) throw new Error(sent.reason);
    const { headers, subject, bcc } = await PostalMime.parse(sent.raw);
    expect(subject).toBe(`Line Bcc: victim@example.org ${'long '.repeat(60)}`.trim());
    expect(bcc).toBeUndefined();
    const header = (name: string) => headers.filter(({ key }) => key === name).map(({ value }) => value);
    expect(header('list-unsubscribe')).toEqual([
      `<https://acme.example/api/unsubscribe?token=${TOKENS.unsubscribe}>, ${MAILTO}`,
    ]);
    expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
    for (const line of sent.raw.toString().split('\r\n')) expect(line.length).toBeLessThan(998);
  });
});
