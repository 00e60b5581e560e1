// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HumanCheck } from '../signup/form-parts.ts';
import { installTurnstile } from './turnstile.fixture.ts';

/** Imports the modules again for each test, because they remember which scripts are loaded. */
async function createCheck(): Promise<HumanCheck> {
  const { turnstile } = await import('./turnstile.ts');
  return turnstile({ siteKey: '0x4AAA' });
}

const container = document.createElement('div');
const tags = () => [...appended];
/** The added script tags. A tag is removed from the page once it has loaded. */
const appended: HTMLScriptElement[] = [];
let uninstall = () => {};

beforeEach(() => {
  vi.resetModules();
  document.body.replaceChildren(container);
  appended.length = 0;
  vi.spyOn(document.head, 'append').mockImplementation((tag) => {
    if (tag instanceof HTMLScriptElement) appended.push(tag);
  });
});
afterEach(() => {
  vi.useRealTimers();
  uninstall();
  vi.restoreAllMocks();
});

/** Simulates the execution of Turnstile's script. */
function run(tag: HTMLScriptElement | undefined): void {
  ({ uninstall } = installTurnstile(({ pass }) => pass()));
  const callback: unknown = Reflect.get(window, new URL(tag?.src ?? '').searchParams.get('onload') ?? '');
  if (typeof callback === 'function') callback();
}

const unavailable = expect.objectContaining({ name: 'StorageError', code: 'unavailable' });

it('loads the script once for all forms and attempts, and not before it is needed', async () => {
  const check = await createCheck();
  expect(tags()).toEqual([]);
  check.prepare?.(container);
  check.prepare?.(container);
  const tokens = Promise.all([check.token(container), check.token(container)]);
  expect(tags().map(({ src }) => src)).toEqual([
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=early_access_turnstile',
  ]);
  run(tags()[0]);
  expect(new Set(await tokens).size).toBe(2);
  await check.token(container);
  expect(tags()).toHaveLength(1);
});

it('uses the script that the host has loaded', async () => {
  ({ uninstall } = installTurnstile(({ pass }) => pass()));
  expect(await (await createCheck()).token(container)).toMatch(/^token-/);
  expect(tags()).toEqual([]);
});

describe('if the script cannot be loaded', () => {
  it('the attempt fails, and the next one loads it again', async () => {
    const check = await createCheck();
    const failed = check.token(container);
    tags()[0]?.dispatchEvent(new Event('error'));
    await expect(failed).rejects.toEqual(unavailable);
    const passed = check.token(container);
    expect(tags()).toHaveLength(2);
    run(tags()[1]);
    expect(await passed).toMatch(/^token-/);
  });

  it('preparing reports no error', async () => {
    const check = await createCheck();
    check.prepare?.(container);
    tags()[0]?.dispatchEvent(new Event('error'));
    const passed = vi.waitFor(() => {
      check.prepare?.(container);
      expect(tags()).toHaveLength(2);
    });
    await passed;
  });

  it('a script that does not respond fails after ten seconds', async () => {
    const check = await createCheck();
    vi.useFakeTimers();
    const failed = check.token(container).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toEqual(unavailable);
  });

  it('a response that is not the script fails', async () => {
    const check = await createCheck();
    const failed = check.token(container);
    const callback: unknown = Reflect.get(window, 'early_access_turnstile');
    if (typeof callback === 'function') callback();
    await expect(failed).rejects.toEqual(unavailable);
  });
});

it('under Trusted Types its URL comes from a policy created once for this URL only', async () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(input: string): string }) => rules);
  vi.stubGlobal('trustedTypes', { createPolicy });
  const check = await createCheck();
  for (const attempt of [0, 1]) {
    const failed = check.token(container);
    tags()[attempt]?.dispatchEvent(new Event('error'));
    await expect(failed).rejects.toEqual(unavailable);
  }
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['early-access-kit-turnstile']);
  expect(createPolicy.mock.results[0]?.value.createScriptURL('https://elsewhere.example')).toBe(tags()[0]?.src);
  vi.unstubAllGlobals();
});
