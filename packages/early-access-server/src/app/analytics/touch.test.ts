import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { MAX_LENGTH } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { OTHER } from './analytics.ts';
import { boundTouch, matches, touchOfSession, touchOfSignup } from './touch.ts';

const SESSION = sessionOf({
  referrer: 'https://www.search.example:8080/find?q=prints',
  utm_source: 'news',
  utm_medium: 'email',
  utm_campaign: 'May sale',
  landing_path: '/join',
  device_type: 'mobile',
  browser: 'Safari',
  os: 'iOS',
});
const TOUCH = {
  referrer_host: 'search.example:8080',
  utm_source: 'news',
  utm_medium: 'email',
  utm_campaign: 'May sale',
  landing_path: '/join',
  device_type: 'mobile',
  browser: 'Safari',
  os: 'iOS',
  visitor_type: 'new',
};
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
};

describe('a touch', () => {
  it('of a session is where it came from, and its device', () => {
    expect(touchOfSession(SESSION)).toEqual(TOUCH);
    expect(touchOfSession({ ...SESSION, is_returning_visitor: true })).toEqual({ ...TOUCH, visitor_type: 'returning' });
    expect(touchOfSession(sessionOf())).toEqual({
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
    expect(touchOfSignup(signup)).toEqual({
      ...NOTHING,
      utm_source,
      utm_medium,
      utm_campaign,
      referrer_host: 'search.example:8080',
      landing_path: '/join',
    });
    expect(touchOfSignup(signupOf())).toEqual(NOTHING);
  });

  it.each([
    [null, ''],
    ['not a URL', ''],
    ['https://www.search.example/', 'search.example'],
    ['https://wwwsearch.example/', 'wwwsearch.example'],
    ['https://shop.www.example/', 'shop.www.example'],
    ['android-app://com.example/', 'com.example'],
  ])('has of the referrer %j the host %j', (referrer, host) => {
    expect(touchOfSession({ ...SESSION, referrer }).referrer_host).toBe(host);
  });

  it.each([
    ['not a URL', ''],
    ['https://www.example.com', '/'],
    [`https://www.example.com/${'x'.repeat(MAX_LENGTH.landing_path)}`, `/${'x'.repeat(MAX_LENGTH.landing_path - 1)}`],
  ])('has of the page of a signup its path, no longer than that of a session (%#)', (page_url, path) => {
    expect(touchOfSignup(signupOf({ page_url })).landing_path).toBe(path);
  });
});

describe('boundTouch', () => {
  it('asks for room for each value that a visitor chooses, and replaces those that have none', () => {
    const asked: string[][] = [];
    const bounded = boundTouch({ ...TOUCH, utm_medium: '' }, (dimension, value) => {
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
      ...TOUCH,
      utm_medium: '',
      referrer_host: OTHER,
      utm_campaign: OTHER,
      landing_path: OTHER,
    });
  });
});

describe('matches', () => {
  it('needs each value of the filter, an empty one too', () => {
    expect(matches(TOUCH, {})).toBe(true);
    expect(matches(TOUCH, { utm_source: 'news', browser: 'Safari' })).toBe(true);
    expect(matches(TOUCH, { utm_source: 'news', browser: 'Firefox' })).toBe(false);
    expect(matches(TOUCH, { utm_source: '' })).toBe(false);
    expect(matches(NOTHING, { utm_source: '' })).toBe(true);
  });
});
