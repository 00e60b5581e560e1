// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { hcaptcha } from './hcaptcha.ts';

const check = hcaptcha({ siteKey: '10000000-ffff', parameters: { theme: 'dark', size: 'normal' } });

function setUp(execute: (parameters: Readonly<Record<string, unknown>>) => Promise<{ response: string }>) {
  const api = {
    render: vi.fn((_container: HTMLElement, _parameters: Readonly<Record<string, unknown>>) => 'widget-1'),
    execute: vi.fn((_widget: string, _options: unknown) => execute(api.render.mock.lastCall?.[1] ?? {})),
    remove: vi.fn(),
  };
  vi.stubGlobal('hcaptcha', api);
  return { api, container: document.body.appendChild(document.createElement('div')) };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it('runs an invisible widget for each attempt, and removes it', async () => {
  const responses = ['P1_1', 'P1_2'];
  const { api, container } = setUp(async () => ({ response: responses.shift() ?? '' }));
  expect([await check.token(container), await check.token(container)]).toEqual(['P1_1', 'P1_2']);
  expect(api.render.mock.lastCall?.[1]).toMatchObject({ sitekey: '10000000-ffff', theme: 'dark', size: 'invisible' });
  expect(api.execute).toHaveBeenLastCalledWith('widget-1', { async: true });
  expect(api.remove).toHaveBeenCalledTimes(2);
  expect(container.childElementCount).toBe(0);
});

it('fails with the provider’s reason, such as a closed dialog', async () => {
  const { api, container } = setUp(() => Promise.reject('challenge-closed'));
  await expect(check.token(container)).rejects.toMatchObject({ code: 'unavailable', cause: 'challenge-closed' });
  expect(api.remove).toHaveBeenCalledTimes(1);
});

it('waits for the visitor while its dialog is open', async () => {
  vi.useFakeTimers();
  const { container } = setUp(({ 'open-callback': open }) => {
    if (typeof open === 'function') open();
    return new Promise((resolve) => setTimeout(resolve, 300_000, { response: 'P1_late' }));
  });
  const token = check.token(container);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await token).toBe('P1_late');
});
