import { anyText, urlPath } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { exampleSignup } from '../testing/examples.ts';
import { attributionOf, campaignOf, entryReferrer } from './attribution.ts';
import { parseSignup } from './validation.ts';

const SITE = 'https://site.example';

describe('the attribution of a page', () => {
  it.each([
    [`${SITE}/`, { page_url: `${SITE}/` }],
    [`${SITE}/join?token=secret#also`, { page_url: `${SITE}/join` }],
    ['https://ada:secret@site.example:8443/join', { page_url: 'https://site.example:8443/join' }],
    [
      `${SITE}/?utm_source=news&utm_medium=email&utm_campaign=May%20sale&utm_term=prints&utm_content=a%2Bb&utm_id=7`,
      {
        page_url: `${SITE}/`,
        utm_source: 'news',
        utm_medium: 'email',
        utm_campaign: 'May sale',
        utm_term: 'prints',
        utm_content: 'a+b',
      },
    ],
    [`${SITE}/?utm_source=&utm_medium&utm_term=%00%0A`, { page_url: `${SITE}/` }],
    [`${SITE}/?utm_source=first&utm_source=second`, { page_url: `${SITE}/`, utm_source: 'first' }],
    [`${SITE}/?UTM_SOURCE=upper&Utm_Medium=mixed`, { page_url: `${SITE}/`, utm_source: 'upper', utm_medium: 'mixed' }],
    [`${SITE}/?utm_source=&UTM_SOURCE=second`, { page_url: `${SITE}/`, utm_source: 'second' }],
    [`${SITE}/?ref=producthunt`, { page_url: `${SITE}/`, utm_source: 'producthunt' }],
    [`${SITE}/?REF=a&ref=b&utm_medium=email`, { page_url: `${SITE}/`, utm_source: 'a', utm_medium: 'email' }],
    [`${SITE}/?ref=a&utm_source=news`, { page_url: `${SITE}/`, utm_source: 'news' }],
    [`${SITE}/?ref=a&utm_source=`, { page_url: `${SITE}/`, utm_source: 'a' }],
    // A share link with a name added by a directory.
    [
      `${SITE}/?utm_source=share&utm_content=code&ref=a`,
      { page_url: `${SITE}/`, utm_source: 'share', utm_content: 'code' },
    ],
    [`${SITE}/?href=a&refs=b`, { page_url: `${SITE}/` }],
    [`${SITE}/#?utm_source=fragment`, { page_url: `${SITE}/` }],
    ['file:///home/ada/index.html?utm_source=disk', { utm_source: 'disk' }],
    ['about:srcdoc', {}],
  ])('%s is %j', (url, expected) => {
    expect(attributionOf(new URL(url))).toStrictEqual(expected);
  });

  it('has no page inside an app’s web view', () => {
    expect(attributionOf({ origin: 'app://http.example', pathname: '/join', search: '' })).toStrictEqual({});
  });

  it('is truncated to the maximum length, never inside a character', () => {
    const { page_url } = attributionOf(new URL(`${SITE}/${'a'.repeat(5_000)}`));
    expect(page_url).toHaveLength(2_048);
    expect(campaignOf(`?utm_term=${'x'.repeat(255)}${'🎨'.repeat(9)}`)).toEqual({ utm_term: 'x'.repeat(255) });
  });

  it('is accepted with the signup for any URL', () => {
    const value = anyText({ maxLength: 400 });
    const query = fc.dictionary(fc.constantFrom('utm_source', 'utm_content', 'ref'), value);
    fc.assert(
      fc.property(query, urlPath, (parameters, pathname) => {
        const attribution = attributionOf({ origin: SITE, pathname, search: `?${new URLSearchParams(parameters)}` });
        expect(parseSignup(exampleSignup(attribution))).toMatchObject(attribution);
      }),
    );
  });
});

it('is empty without a URL', () => {
  expect(campaignOf(undefined)).toStrictEqual({});
});

describe('the entry referrer', () => {
  it.each([
    ['', null],
    [SITE, null],
    [`${SITE}/about`, null],
    ['https://site.example.evil.net/', 'https://site.example.evil.net/'],
    ['https://news.example.net/a?b=c', 'https://news.example.net/a?b=c'],
  ])('of %j is %j', (referrer, expected) => {
    expect(entryReferrer(referrer, SITE)).toBe(expected);
  });

  it('is truncated to the maximum length', () => {
    expect(entryReferrer(`https://x.io/${'a'.repeat(5_000)}`, SITE)).toHaveLength(2_048);
  });
});
