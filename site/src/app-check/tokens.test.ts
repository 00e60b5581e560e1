import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appCheckTokens } from './tokens.ts';

const CONFIG = { projectId: 'p', apiKey: 'k', appId: 'a' };
const startAppCheck = vi.hoisted(() => vi.fn());
vi.mock('./firebase.ts', () => ({ startAppCheck }));

let paint = () => {};
beforeEach(() => {
  startAppCheck.mockReset().mockReturnValue(async () => 'token');
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    paint = callback;
  });
});
afterEach(() => vi.unstubAllGlobals());

it('loads the library once, and not before the page is painted', async () => {
  const getToken = appCheckTokens(CONFIG, 'key');
  const [first, second] = [getToken(), getToken()];
  expect(startAppCheck).not.toHaveBeenCalled();
  paint();
  expect(await Promise.all([first, second])).toEqual(['token', 'token']);
  expect(startAppCheck.mock.calls).toEqual([[CONFIG, 'key']]);
});

it('does not wait for a paint in the background', async () => {
  vi.stubGlobal('document', { hidden: true });
  expect(await appCheckTokens(CONFIG, 'key')()).toBe('token');
});

it('tries again after a failure', async () => {
  vi.stubGlobal('document', { hidden: true });
  startAppCheck.mockImplementationOnce(() => {
    throw new Error('blocked');
  });
  const getToken = appCheckTokens(CONFIG, 'key');
  await expect(getToken()).rejects.toThrow('blocked');
  expect(await getToken()).toBe('token');
});
