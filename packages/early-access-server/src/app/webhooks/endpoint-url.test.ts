import { describe, expect, it } from 'vitest';
import { isAllowedAddress, MAX_URL_LENGTH, NOT_PUBLIC, urlProblem } from './endpoint-url.ts';

describe('isAllowedAddress', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:1.1.1.1'])(
    'allows the public address %s',
    (address) => {
      expect(isAllowedAddress(address, false)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::1',
    '::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
  ])('allows the local address %s only if told so', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '239.255.255.250',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    '169.254.0.0',
    '169.254.255.255',
    'febf:ffff::1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '::169.254.169.254',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    'fe80::a9fe:a9fe',
    'fd00:ec2::254',
    'fd00:ec2:0::FE',
    'fd00:ec2::254%eth0',
    'fd00:0ec2:0000:0000:0000:0000:0000:0023',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '::ffff:6464:64c8',
    '::100.100.100.200',
    '::6464:64c8',
    '64:ff9b::6464:64c8',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '4000::1',
    'example.com',
    '',
  ])('never allows %s', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(false);
  });
});

describe('urlProblem', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hooks?key=1',
    'https://1.1.1.1/',
    'https://bücher.example/',
    'https://example.com:1024/',
    'https://localhost.example.com/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hooks',
    `https://example.com/${'a'.repeat(MAX_URL_LENGTH - 20)}`,
  ])('finds none in %s', (url) => {
    expect(urlProblem(url, false)).toBeNull();
  });

  it.each([
    ['example.com', 'must look like'],
    ['', 'must look like'],
    ['http://example.com', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://user@example.com', 'must not contain a user name'],
    ['https://:secret@example.com', 'must not contain a user name'],
    ['https://example.com:22', 'must have port 443'],
    ['https://example.com:80', 'must have port 443'],
    ['https://example.com:1023', 'must have port 443 or one from 1024 on'],
    ['https://localhost', NOT_PUBLIC],
    ['https://app.localhost.', NOT_PUBLIC],
    ['https://192.168.0.1', NOT_PUBLIC],
    ['https://0300.0250.1', NOT_PUBLIC],
    ['https://[::ffff:127.0.0.1]', NOT_PUBLIC],
    [`https://example.com/${'a'.repeat(MAX_URL_LENGTH - 19)}`, 'must have at most 2000 characters'],
  ])('finds one in %s', (url, problem) => {
    expect(urlProblem(url, false)).toContain(problem);
  });

  it('allows http and this machine if told so', () => {
    for (const url of ['http://localhost:3000/hook', 'http://127.0.0.1:3000', 'http://10.0.0.7/']) {
      expect(urlProblem(url, true)).toBeNull();
    }
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:100.100.100.200]', '0x64.0x64.0x64.0xc8']) {
      expect(urlProblem(`http://${host}/`, true)).toBe(NOT_PUBLIC);
      expect(urlProblem(`https://${host}/`, false)).not.toBeNull();
    }
    expect(urlProblem('ftp://localhost/', true)).toContain('https://');
  });
});
