import { describe, expect, it } from 'vitest';
import { originPolicy } from './origins.ts';

const policy = originPolicy({
  ownOrigin: 'https://www.example.com',
  allowedOrigins: ['https://partner.example', 'http://localhost:6006'],
});

describe('originPolicy', () => {
  it.each([
    [undefined, 'localhost:4173'],
    ['https://www.example.com', 'internal:8080'],
    ['http://localhost:4173', 'localhost:4173'],
    ['http://localhost:4173', 'LOCALHOST:4173'],
    ['https://shop.example', 'shop.example'],
  ])('%s at host %s is own', (origin, host) => {
    expect(policy.judge(origin, host)).toBe('own');
  });

  it.each(['https://partner.example', 'http://localhost:6006'])('%s is allowed', (origin) => {
    expect(policy.judge(origin, 'localhost:4173')).toBe('allowed');
  });

  it.each([
    'null',
    '',
    'http://partner.example',
    'https://partner.example:444',
    'https://partner.example.evil.test',
    'https://evil.test',
    'http://localhost:4174',
    'https://www.example.com.evil.test',
    'localhost:4173/',
  ])('%j is foreign', (origin) => {
    expect(policy.judge(origin, 'localhost:4173')).toBe('foreign');
  });

  it('knows no own origin without a host', () => {
    expect(originPolicy({}).judge('http://localhost', undefined)).toBe('foreign');
  });
});
