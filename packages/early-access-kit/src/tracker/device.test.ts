import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRobot } from '../core/session-checks.ts';
import { detectDevice, type NavigatorLike } from './device.ts';
import { mayTrack } from './permission.ts';

const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT}`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/138.0.0.0 Safari/537.36`;

function described(navigator: NavigatorLike): string {
  const { device_type, browser, os } = detectDevice(navigator);
  return `${device_type} ${browser} ${os}`;
}

/** User agents, what a person would name each, and whether they count as visitors. */
const VISITS = readFileSync(path.join(import.meta.dirname, 'user-agents.fixture.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

it.each(VISITS)('%s is a %s with %s on %s, and is counted: %s', (userAgent = '', device, browser, os, counted) => {
  expect([mayTrack({}, { userAgent }), !isRobot(userAgent)]).toEqual([counted === 'yes', counted === 'yes']);
  if (counted === 'yes') expect(described({ userAgent })).toBe(`${device} ${browser} ${os}`);
});

it('knows nothing of a browser that says nothing', () => {
  expect(described({ userAgent: '' })).toBe('desktop Unknown Unknown');
});

describe('an iPad that calls itself a Mac', () => {
  const userAgent = `${MAC} Version/18.5 Safari/605.1.15`;

  it('is detected by its touch screen', () => {
    expect(described({ userAgent, maxTouchPoints: 5 })).toBe('tablet Safari iOS');
    expect(described({ userAgent: userAgent.replace('Version', 'CriOS'), maxTouchPoints: 5 })).toBe(
      'tablet Chrome iOS',
    );
  });

  it('is not confused with a Mac without a touch screen, or with Chromium on a touch screen', () => {
    expect(described({ userAgent, maxTouchPoints: 0 })).toBe('desktop Safari macOS');
    const hints = { brands: [{ brand: 'Chromium' }], mobile: false, platform: 'macOS' };
    expect(described({ userAgent, maxTouchPoints: 5, userAgentData: hints })).toBe('desktop Chrome macOS');
  });

  it('is not confused with an iPhone', () => {
    const iphone = `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`;
    expect(described({ userAgent: iphone, maxTouchPoints: 5 })).toBe('mobile Safari iOS');
  });
});

describe('client hints', () => {
  const brands = (...names: string[]) => ['Not)A;Brand', 'Chromium', ...names].map((brand) => ({ brand }));
  const hinted = (platform: string, mobile: boolean, ...names: string[]) =>
    described({ userAgent: WINDOWS, maxTouchPoints: 1, userAgentData: { brands: brands(...names), mobile, platform } });

  it.each([
    ['Windows', false, 'Google Chrome', 'desktop Chrome Windows'],
    ['macOS', false, 'Microsoft Edge', 'desktop Edge macOS'],
    ['Linux', false, 'Opera', 'desktop Opera Linux'],
    ['Chrome OS', false, 'Google Chrome', 'desktop Chrome Linux'],
    ['Chromium OS', false, 'Chromium', 'desktop Chrome Linux'],
    ['Android', true, 'Samsung Internet', 'mobile Chrome Android'],
    ['Android', false, 'Brave', 'tablet Chrome Android'],
    ['Android', true, 'Android WebView', 'mobile Chrome Android'],
    ['Fuchsia', false, 'Google Chrome', 'desktop Chrome Unknown'],
  ])('take precedence over the user agent: %s, mobile %s, %s', (platform, mobile, brand, expected) => {
    expect(hinted(platform, mobile, brand)).toBe(expected);
  });

  it('leave missing values to the user agent', () => {
    expect(described({ userAgent: `${WINDOWS} Edg/138.0.0.0`, userAgentData: {} })).toBe('desktop Edge Windows');
    expect(hinted('', false)).toBe('desktop Chrome Windows');
  });
});
