import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRobot } from '../core/session-checks.ts';
import { detectDevice, type NavigatorLike } from './device.ts';
import { mayTrack } from './permission.ts';

const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${WEBKIT}`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT}`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/138.0.0.0 Safari/537.36`;
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROMIUM}`;

/** Real user agents, and the browser, system and device that a person would name. */
const KNOWN: [string, string, string][] = [
  ['Chrome on Windows', WINDOWS, 'desktop Chrome Windows'],
  ['Edge on Windows', `${WINDOWS} Edg/138.0.0.0`, 'desktop Edge Windows'],
  ['the first Edge', `${WINDOWS} Edge/18.19582`, 'desktop Edge Windows'],
  ['Opera on Windows', `${WINDOWS} OPR/120.0.0.0`, 'desktop Opera Windows'],
  ['Vivaldi, which counts as Chrome', `${WINDOWS} Vivaldi/7.4`, 'desktop Chrome Windows'],
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'desktop Firefox Windows',
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'desktop Firefox Linux',
  ],
  [
    'Chrome on ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROMIUM} Chrome/138.0.0.0`,
    'desktop Chrome Linux',
  ],
  ['Chrome on a Mac', MAC.replace(WEBKIT, `${CHROMIUM} Chrome/138.0.0.0 Safari/537.36`), 'desktop Chrome macOS'],
  ['Safari on a Mac', `${MAC} Version/18.5 Safari/605.1.15`, 'desktop Safari macOS'],
  ['Safari on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'mobile Safari iOS'],
  ['Chrome on an iPhone', `${IPHONE} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`, 'mobile Chrome iOS'],
  ['Firefox on an iPhone', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'mobile Firefox iOS'],
  ['Edge on an iPhone', `${IPHONE} Version/18.0 EdgiOS/138.0 Mobile/15E148 Safari/605.1.15`, 'mobile Edge iOS'],
  ['Opera Touch on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4`, 'mobile Opera iOS'],
  ['Opera GX on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPX/2.6`, 'mobile Opera iOS'],
  ['Opera Mini on an iPhone', `${IPHONE} OPiOS/16.0 Mobile/15E148 Safari/9537.53`, 'mobile Opera iOS'],
  ["Google's app on an iPhone", `${IPHONE} GSA/377.0 Mobile/15E148 Safari/604.1`, 'mobile Safari iOS'],
  ['DuckDuckGo on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`, 'mobile Safari iOS'],
  [
    'Instagram on an iPhone',
    `${IPHONE} Mobile/22F76 Instagram 388.0 (iPhone16,2; iOS 18_5; en_US)`,
    'mobile Safari iOS',
  ],
  ['Facebook on an iPhone', `${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBDV/iPhone16,2;FBSN/iOS]`, 'mobile Safari iOS'],
  [
    'an iPod',
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) ${WEBKIT} Mobile/15E148`,
    'mobile Safari iOS',
  ],
  ['Safari on an iPad, asking for phone pages', `${IPAD} Version/18.5 Mobile/15E148 Safari/604.1`, 'tablet Safari iOS'],
  ['Chrome on an iPad', `${IPAD} CriOS/138.0 Mobile/15E148 Safari/604.1`, 'tablet Chrome iOS'],
  ['Chrome on Android', `${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36`, 'mobile Chrome Android'],
  ['Chrome on an Android tablet', `${ANDROID} Chrome/138.0.0.0 Safari/537.36`, 'tablet Chrome Android'],
  ['Edge on Android', `${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`, 'mobile Edge Android'],
  ['Opera on Android', `${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0`, 'mobile Opera Android'],
  ['Samsung Internet', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'mobile Chrome Android'],
  [
    'Samsung Internet on a tablet',
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36`,
    'tablet Chrome Android',
  ],
  [
    'Silk on a Fire tablet',
    `${ANDROID.replace('K', 'KFTUWI')} Silk/138.1 like Chrome/138.0 Safari/537.36`,
    'tablet Chrome Android',
  ],
  [
    'a WebView',
    `${ANDROID} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/519]`,
    'mobile Chrome Android',
  ],
  [
    'an Oppo phone',
    `${ANDROID.replace('K', 'OPPO A57')} Chrome/138.0.0.0 Mobile Safari/537.36`,
    'mobile Chrome Android',
  ],
  [
    'a phone that is called like a browser, which Opera uses',
    `${ANDROID.replace('K', 'Sparx Edge 20')} Chrome/141.0.0.0 Mobile Safari/537.36 OPR/96.0.0.0`,
    'mobile Opera Android',
  ],
  [
    'an Android phone that claims to be another',
    `${ANDROID.replace('K', 'Mi Note 10;iPhone')} Chrome/78.0.0.0 Mobile Safari/537.36`,
    'mobile Chrome Android',
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'mobile Firefox Android',
  ],
  [
    'Firefox on an Android tablet',
    'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0',
    'tablet Firefox Android',
  ],
  ['Internet Explorer', 'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko', 'desktop Unknown Windows'],
  ['a Windows phone', 'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1) Mobile Edge/15.15063', 'mobile Edge Windows'],
  [
    'GNOME Web, which is not on the list',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Safari/605.1.15`,
    'desktop Unknown Linux',
  ],
  ['FreeBSD', 'Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop Firefox Unknown'],
  ['KaiOS', 'Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 KAIOS/2.5', 'mobile Unknown Unknown'],
  ['nothing', '', 'desktop Unknown Unknown'],
];

function described(navigator: NavigatorLike): string {
  const { device_type, browser, os } = detectDevice(navigator);
  return `${device_type} ${browser} ${os}`;
}

it.each(KNOWN)('%s is detected from the user agent', (_, userAgent, expected) => {
  expect(described({ userAgent })).toBe(expected);
});

/** User agents of real sessions, with a description and whether they count as visitors. */
const VISITS = readFileSync(path.join(import.meta.dirname, 'user-agents.fixture.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

it.each(VISITS)('%s is a %s with %s on %s, and is counted: %s', (userAgent = '', device, browser, os, counted) => {
  expect([mayTrack({}, { userAgent }), !isRobot(userAgent)]).toEqual([counted === 'yes', counted === 'yes']);
  if (counted === 'yes') expect(described({ userAgent })).toBe(`${device} ${browser} ${os}`);
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
