import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { Browser, DeviceType, OperatingSystem } from '../core/records.ts';
import { detectDevice } from './device.ts';
import { mayTrack } from './permission.ts';

/** A session as `user-agents` publishes it: what a real browser reported, and how that package classifies it. */
interface RealSession {
  readonly userAgent: string;
  readonly platform: string;
  readonly vendor: string;
  readonly deviceCategory: DeviceType;
}

const list = createRequire(import.meta.url)
  .resolve('user-agents')
  .replace(/index\.\w+$/, 'user-agents.json');
const sessions: RealSession[] = JSON.parse(readFileSync(list, 'utf8'));

/**
 * How the expected values are determined.
 *
 * Device: the package's own `deviceCategory`, which uses the same names.
 *
 * System: `navigator.platform`, which the detection does not read: Win32 is Windows, MacIntel is macOS, iPhone and iPad
 * are iOS, Linux on ARM is Android. "Linux x86_64" only names the kernel (and also appears in phones emulated on a
 * desktop), so there the comment in the user agent decides: its fields are split and compared as words.
 *
 * Browser: the package has no label, so the product tokens decide, by the vendors' published rules: the tokens are
 * parsed into a set, and the most specific name counts. Without a name, `navigator.vendor`, which the detection does
 * not read either, distinguishes WebKit (Apple), Blink (Google) and Gecko (empty): in-app browsers count as their
 * engine's browser.
 */
function expectedSystem({ platform, userAgent }: RealSession): OperatingSystem {
  if (platform.startsWith('Win')) return 'Windows';
  if (platform === 'MacIntel') return 'macOS';
  if (platform === 'iPhone' || platform === 'iPad') return 'iOS';
  if (/^Linux (arm|aarch)/.test(platform)) return 'Android';
  const words = (userAgent.split('(')[1] ?? '').split(/[^A-Za-z]+/);
  if (words.includes('iPhone') || words.includes('iPad')) return 'iOS';
  if (words.includes('Android')) return 'Android';
  return platform.startsWith('Linux') ? 'Linux' : 'Unknown';
}

const NAMES: Readonly<Record<string, Browser>> = {
  Edg: 'Edge',
  Edge: 'Edge',
  EdgA: 'Edge',
  EdgiOS: 'Edge',
  OPR: 'Opera',
  OPT: 'Opera',
  OPX: 'Opera',
  OPiOS: 'Opera',
  Firefox: 'Firefox',
  FxiOS: 'Firefox',
  CriOS: 'Chrome',
};

function expectedBrowser({ userAgent, vendor }: RealSession): Browser {
  const products = userAgent.replace(/\([^)]*\)/g, '').split(' ');
  const named = products.map((product) => NAMES[product.split('/')[0] ?? '']).find((name) => name !== undefined);
  if (named) return named;
  return vendor.startsWith('Apple') ? 'Safari' : vendor.startsWith('Google') ? 'Chrome' : 'Firefox';
}

function agreement<T>(expected: (session: RealSession) => T, detected: (session: RealSession) => T): number {
  return sessions.filter((session) => expected(session) === detected(session)).length / sessions.length;
}

describe('of thousands of published sessions', () => {
  it('there are enough, of every kind', () => {
    expect(sessions.length).toBeGreaterThanOrEqual(2_000);
    for (const kind of ['desktop', 'tablet', 'mobile']) {
      expect(sessions.some((session) => session.deviceCategory === kind)).toBe(true);
    }
    for (const browser of ['Chrome', 'Firefox', 'Safari', 'Edge', 'Opera']) {
      expect(sessions.some((session) => expectedBrowser(session) === browser)).toBe(true);
    }
  });

  it('at least 99 in 100 are of the expected device type', () => {
    expect(
      agreement(
        (session) => session.deviceCategory,
        (session) => detectDevice(session).device_type,
      ),
    ).toBeGreaterThanOrEqual(0.99);
  });

  it('at least 99 in 100 are of the expected system', () => {
    expect(agreement(expectedSystem, (session) => detectDevice(session).os)).toBeGreaterThanOrEqual(0.99);
  });

  it('at least 99 in 100 are of the expected browser', () => {
    expect(agreement(expectedBrowser, (session) => detectDevice(session).browser)).toBeGreaterThanOrEqual(0.99);
  });

  it('none is classified as a bot', () => {
    expect(sessions.filter((session) => !mayTrack({}, session))).toEqual([]);
  });
});
