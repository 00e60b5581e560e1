import { beforeEach, expect, it, vi } from 'vitest';
import { appCheckTokens } from './tokens.ts';

const CONFIG = { projectId: 'p', apiKey: 'k', appId: 'a' };
const startAppCheck = vi.hoisted(() => vi.fn());
vi.mock('./firebase.ts', () => ({ startAppCheck }));

beforeEach(() => void startAppCheck.mockReset().mockReturnValue(async () => 'token'));

it('loads the library once, when the first token is needed', async () => {
  const getToken = appCheckTokens(CONFIG, 'key');
  expect(startAppCheck).not.toHaveBeenCalled();
  expect(await Promise.all([getToken(), getToken()])).toEqual(['token', 'token']);
  expect(startAppCheck.mock.calls).toEqual([[CONFIG, 'key']]);
});

it('tries again after a failure', async () => {
  startAppCheck.mockImplementationOnce(() => {
    throw new Error('blocked');
  });
  const getToken = appCheckTokens(CONFIG, 'key');
  await expect(getToken()).rejects.toThrow('blocked');
  expect(await getToken()).toBe('token');
});
