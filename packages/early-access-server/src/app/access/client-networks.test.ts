import { describe, expect, it } from 'vitest';
import { clientNetworks } from './client-networks.ts';

const networks = (remoteAddress: string | undefined, forwardedFor?: string, hops = 0) =>
  clientNetworks({ remoteAddress, forwardedFor }, hops);
const key = (...args: Parameters<typeof networks>) => networks(...args)[0]?.key;

it('clientNetworks returns an IPv4 address, or the /64 of an IPv6 address and its /48 with ten times the limit', () => {
  expect(networks('192.0.2.7')).toEqual([{ key: '192.0.2.7', factor: 1 }]);
  expect(networks('2001:db8:1:2::9')).toEqual([
    { key: '2001:db8:1:2::/64', factor: 1 },
    { key: '2001:db8:1::/48', factor: 10 },
  ]);
  expect(networks('2001:db8::9')[1]?.key).toBe('2001:db8:0::/48');
});

describe('the first network', () => {
  it('is the address of the connection', () => {
    expect(key('192.0.2.7')).toBe('192.0.2.7');
    expect(key(undefined)).toBe('unknown');
  });

  it('is the same for every notation of an IPv4 address', () => {
    expect(key('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(key('::ffff:c000:207')).toBe('192.0.2.7');
    expect(key('0:0:0:0:0:ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%br-lan.7', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1:2:3::192.0.2.7', '1:2:3:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(key(address)).toBe(network);
  });

  it('ignores X-Forwarded-For unless a proxy is trusted', () => {
    expect(key('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  });

  it('is the address that the outermost trusted proxy saw, and not one that the client forged', () => {
    expect(key('10.0.0.1', '198.51.100.1', 1)).toBe('198.51.100.1');
    expect(key('10.0.0.1', 'forged, 203.0.113.5, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(key('10.0.0.1', 'forged, 203.0.113.5, 10.0.0.2', 2)).toBe('203.0.113.5');
    expect(key('10.0.0.1', '203.0.113.5', 3)).toBe('203.0.113.5');
  });

  it('is read from addresses with ports', () => {
    expect(key('10.0.0.1', '198.51.100.1:4711', 1)).toBe('198.51.100.1');
    expect(key('10.0.0.1', '[2001:db8:1:2::1]:4711', 1)).toBe('2001:db8:1:2::/64');
    expect(key('10.0.0.1', '[2001:db8:1:2::1]', 1)).toBe('2001:db8:1:2::/64');
    expect(key('10.0.0.1', '198.51.100.123:80', 1)).toBe('198.51.100.123');
  });

  it.each([
    '',
    ' ',
    'unknown',
    '999.1.1.1',
    '::1::1',
    'a 198.51.100.1:80',
    '198.51.100.1:80 b',
    'a[2001:db8:1:2::1]',
    '[2001:db8:1:2::1]b',
    'x'.repeat(9_000),
    `${'['.repeat(8_000)}]`,
    `fe80::1%${'x'.repeat(9_000)}`,
  ])('falls back to the address of the connection for %j', (header) => {
    expect(key('10.0.0.1', header, 1)).toBe('10.0.0.1');
  });
});
