// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firestoreAdapter } from '../adapters/firestore.ts';
import { httpAdapter } from '../adapters/http.ts';
import { memoryAdapter } from '../adapters/memory.ts';
import { AdminOverlay } from '../admin/admin-overlay.tsx';
import { resolveSettings } from '../embed/settings.ts';
import { hcaptcha } from '../human/hcaptcha.ts';
import { proofOfWork } from '../human/proof-of-work.ts';
import { turnstile } from '../human/turnstile.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => {
  warn.mockReset();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllEnvs();
});

/** Removes the type, as in plain JavaScript. */
const options = (given: object): object => given;
const CONFIG = { projectId: 'demo', apiKey: 'key' };

describe.each([
  ['httpAdapter', (unknown: object) => httpAdapter(unknown)],
  ['memoryAdapter', (unknown: object) => memoryAdapter(unknown)],
  ['firestoreAdapter', (unknown: object) => firestoreAdapter({ ...CONFIG, ...unknown })],
  ['turnstile', (unknown: object) => turnstile({ siteKey: 'key', ...unknown })],
  ['hcaptcha', (unknown: object) => hcaptcha({ siteKey: 'key', ...unknown })],
  ['proofOfWork', (unknown: object) => proofOfWork(unknown)],
  ['configure', (unknown: object) => resolveSettings(unknown)],
])('%s', (name, create) => {
  it('names every unknown option', () => {
    const wrong = options({ url: 'https://early.example.com', timeout: undefined });
    expect(() => create(wrong)).toThrow(`${name} has no option url, timeout`);
  });

  it('accepts undefined options, and checks nothing in production', () => {
    expect(() => create({ endpoint: undefined, deadlineMs: undefined, parameters: undefined })).not.toThrow(
      /endpoint of/,
    );
    vi.stubEnv('NODE_ENV', 'production');
    expect(() => create(options({ url: 'x' }))).not.toThrow();
  });
});

it.each([
  'early.example.com/api',
  'api',
  '//early.example.com/api',
  'ftp://x/api',
  '/api/',
  'https://x/api?key=1',
  'https:///api',
  'https://',
])('rejects the endpoint %j', (endpoint) => {
  for (const create of [httpAdapter, proofOfWork]) expect(() => create({ endpoint })).toThrow('must be a path such as');
});

it.each(['', '/api', '/early/access', 'https://early.example.com', 'HTTP://127.0.0.1:4173/api'])(
  'accepts the endpoint %j',
  (endpoint) => {
    expect(() => httpAdapter({ endpoint })).not.toThrow();
  },
);

it('requires the site key', () => {
  for (const create of [turnstile, hcaptcha]) expect(() => create({ siteKey: '' })).toThrow('needs a siteKey');
});

describe('a provider', () => {
  const show = (props: Partial<EarlyAccessProviderProps>) =>
    render(<EarlyAccessProvider adapter={memoryAdapter()} {...props} />);

  it.each(['de_DE', 'en US', 'x'])('rejects the locale %j immediately', (locale) => {
    expect(() => show({ locale })).toThrow('must be a BCP 47 tag');
  });

  it('requires an adapter', () => {
    const missing: object = { adapter: undefined };
    expect(() => show(missing)).toThrow('needs an adapter');
  });

  it('warns once if it gets a new adapter on each render', () => {
    const { rerender } = show({});
    const again = () => rerender(<EarlyAccessProvider adapter={memoryAdapter()} />);
    const other = memoryAdapter();
    for (let time = 0; time < 5; time += 1) rerender(<EarlyAccessProvider adapter={other} locale="de" messages={{}} />);
    again();
    expect(warn).not.toHaveBeenCalled();
    for (let time = 0; time < 5; time += 1) again();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('create the adapter once'));
  });
});

it('warns about two overlays with the same shortcut, but not about one that is mounted again', () => {
  const page = (...overlays: string[]) => (
    <EarlyAccessProvider adapter={PAGE_ADAPTER}>
      {overlays.map((key) => (
        <AdminOverlay key={key} />
      ))}
    </EarlyAccessProvider>
  );
  const { rerender } = render(page('a'));
  rerender(page('b'));
  expect(warn).not.toHaveBeenCalled();
  rerender(page('b', 'c'));
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('there are 2 admin overlays'));
});

const PAGE_ADAPTER = memoryAdapter();
