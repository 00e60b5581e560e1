import { describe, expect, it, vi } from 'vitest';
import { isStorageError, retryOnce, StorageError } from './errors.ts';

it('a StorageError has a code, the time to wait and a cause, and says whose it is', () => {
  const cause = new Error('the disk is full');
  const error = new StorageError('rate-limited', 'too many calls', { retryAfter: 5, cause });
  expect(error).toMatchObject({ name: 'StorageError', code: 'rate-limited', retryAfter: 5, cause });
  expect(error.message).toBe('early-access-kit: too many calls');
  expect(new StorageError('invalid', 'x').retryAfter).toBeUndefined();
});

describe('isStorageError', () => {
  it('recognizes errors of this copy of the package and of another one', () => {
    expect(isStorageError(new StorageError('invalid', 'x'))).toBe(true);
    expect(isStorageError(Object.assign(new Error('x'), { name: 'StorageError', code: 'invalid' }))).toBe(true);
  });

  it.each([
    ['an object like one', { name: 'StorageError', code: 'invalid' }],
    ['an error with another name', Object.assign(new Error('x'), { code: 'ENOENT' })],
    ['an error without a code', Object.assign(new Error('x'), { name: 'StorageError' })],
    ['nothing', undefined],
  ])('rejects %s', (_, value) => {
    expect(isStorageError(value)).toBe(false);
  });
});

describe('retryOnce', () => {
  const unavailable = new StorageError('unavailable', 'no response');

  it('returns the result of the only call', async () => {
    const call = vi.fn(async () => 'created');
    expect(await retryOnce(call)).toBe('created');
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('calls again once if the store was unavailable', async () => {
    const recovers = vi.fn(async () => 'created').mockRejectedValueOnce(unavailable);
    expect(await retryOnce(recovers)).toBe('created');
    const fails = vi.fn(async () => Promise.reject(unavailable));
    await expect(retryOnce(fails)).rejects.toBe(unavailable);
    expect(fails).toHaveBeenCalledTimes(2);
  });

  it('recognizes errors of another copy of the package', async () => {
    const foreign = Object.assign(new Error('x'), { name: 'StorageError', code: 'unavailable' });
    expect(await retryOnce(vi.fn(async () => 'created').mockRejectedValueOnce(foreign))).toBe('created');
  });

  it.each([
    ['a call that was refused', new StorageError('forbidden', 'no')],
    ['any other error', Object.assign(new Error('x'), { code: 'unavailable' })],
  ])('does not repeat %s', async (_, error) => {
    const call = vi.fn(async () => Promise.reject(error));
    await expect(retryOnce(call)).rejects.toBe(error);
    expect(call).toHaveBeenCalledTimes(1);
  });
});
