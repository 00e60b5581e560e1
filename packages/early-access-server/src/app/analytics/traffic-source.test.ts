import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { MAX_LENGTH } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { OTHER } from './analytics.ts';
import { limitSource, matches, toSessionSource, toSignupSource } from './traffic-source.ts';

const COMMON = {
  utm_source: 'news',
  utm_medium: 'email',
  utm_campaign: 'May sale',
  landing_path: '/join',
  device_type: 'mobile',
  browser: 'Safari',
  os: 'iOS',
} as const;
const SESSION = sessionOf({ referrer: 'https://www.search.example:8080/find?q=prints', ...COMMON });
const SOURCE = { referrer_host: 'search.example:8080', ...COMMON, visitor_type: 'new', country: '' };
const NOTHING = {
  referrer_host: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  landing_path: '',
  device_type: '',
  browser: '',
  os: '',
  visitor_type: '',
  country: '',
};

describe('a traffic source', () => {
  it('of a session is where it came from, and its device', () => {
    expect(toSessionSource(SESSION)).toEqual(SOURCE);
    expect(toSessionSource({ ...SESSION, country: 'DE' })).toEqual({ ...SOURCE, country: 'DE' });
    expect(toSessionSource({ ...SESSION, is_returning_visitor: true })).toEqual({
      ...SOURCE,
      visitor_type: 'returning',
    });
    expect(toSessionSource(sessionOf())).toEqual({
      ...NOTHING,
      device_type: 'desktop',
      browser: 'Firefox',
      os: 'Linux',
      visitor_type: 'new',
    });
  });

  it('of a signup without a session is what the form knew', () => {
    const { utm_source, utm_medium, utm_campaign, referrer } = SESSION;
    const page_url = 'https://www.example.com/join?x=1';
    const signup = signupOf({ referrer, page_url, utm_source: 'news', utm_medium: 'email', utm_campaign: 'May sale' });
    expect(toSignupSource(signup)).toEqual({
      ...NOTHING,
      utm_source,
      utm_medium,
      utm_campaign,
      referrer_host: 'search.example:8080',
      landing_path: '/join',
    });
    expect(toSignupSource(signupOf())).toEqual(NOTHING);
  });

  it.each([
    [null, ''],
    ['not a URL', ''],
    ['https://www.search.example/', 'search.example'],
    ['https://wwwsearch.example/', 'wwwsearch.example'],
    ['https://shop.www.example/', 'shop.www.example'],
    ['android-app://com.example/', 'com.example'],
  ])('has of the referrer %j the host %j', (referrer, host) => {
    expect(toSessionSource({ ...SESSION, referrer }).referrer_host).toBe(host);
  });

  it.each([
    ['not a URL', ''],
    ['https://www.example.com', '/'],
    [`https://www.example.com/${'x'.repeat(MAX_LENGTH.landing_path)}`, `/${'x'.repeat(MAX_LENGTH.landing_path - 1)}`],
  ])('has of the page of a signup its path, no longer than that of a session (%#)', (page_url, path) => {
    expect(toSignupSource(signupOf({ page_url })).landing_path).toBe(path);
  });
});

it('limitSource asks for room for each value that a visitor chooses, and replaces values that have none', () => {
  const asked: string[][] = [];
  const bounded = limitSource({ ...SOURCE, utm_medium: '' }, (dimension, value) => {
    asked.push([dimension, value]);
    return value === 'news';
  });
  expect(asked).toEqual([
    ['referrer_host', 'search.example:8080'],
    ['utm_source', 'news'],
    ['utm_campaign', 'May sale'],
    ['landing_path', '/join'],
  ]);
  expect(bounded).toEqual({
    ...SOURCE,
    utm_medium: '',
    referrer_host: OTHER,
    utm_campaign: OTHER,
    landing_path: OTHER,
  });
});

it('matches needs each value of the filter, an empty one too', () => {
  expect(matches(SOURCE, {})).toBe(true);
  expect(matches(SOURCE, { utm_source: 'news', browser: 'Safari' })).toBe(true);
  expect(matches(SOURCE, { utm_source: 'news', browser: 'Firefox' })).toBe(false);
  expect(matches(SOURCE, { utm_source: '' })).toBe(false);
  expect(matches(NOTHING, { utm_source: '' })).toBe(true);
});
