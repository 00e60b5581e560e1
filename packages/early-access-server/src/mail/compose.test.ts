import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { welcomeComposer } from './compose.ts';

const options = { from: 'Acme <hello@acme.example>', brand: { name: 'Acme', url: 'https://acme.example/' } };
const signup = { email: 'ada@example.org', messageKey: 'key-1' };

describe('welcomeComposer', () => {
  it('gives every attempt of a signup the same Message-ID and unsubscribe link', () => {
    const compose = welcomeComposer(options);
    const email = compose(signup);
    expect(email).toMatchObject({
      to: 'ada@example.org',
      from: 'Acme <hello@acme.example>',
      subject: "You're on the list for Acme",
      messageId: '<key-1@acme.example>',
      headers: { 'List-Unsubscribe': '<mailto:hello@acme.example?subject=unsubscribe>' },
    });
    expect(compose(signup)).toEqual(email);
  });

  it('lets mail programs offer to unsubscribe, and suppresses automatic replies', () => {
    expect(welcomeComposer(options)(signup).headers).toEqual({
      'List-Unsubscribe': '<mailto:hello@acme.example?subject=unsubscribe>',
      'Auto-Submitted': 'auto-generated',
    });
  });

  it('uses the template of the host and passes it the brand and the links', () => {
    const compose = welcomeComposer({
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
    const { headers, html } = welcomeComposer({
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
    expect(() => welcomeComposer({ ...options, ...wrong })).toThrow(ConfigError);
  });
});
