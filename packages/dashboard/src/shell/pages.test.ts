import { expect, test } from 'vitest';
import { resolvePagePath } from './pages.ts';

test.each([
  ['/admin/people', '/admin?page=people'],
  ['/admin/people/?search=ada#token=x', '/admin?search=ada&page=people#token=x'],
  ['/admin/overview?range=7d', '/admin?range=7d'],
  ['/waitlist/admin/settings', '/waitlist/admin?page=settings'],
  ['/admin/import', '/admin?page=import'],
  ['/admin/toString', null],
  ['/admin', null],
  ['/admin/', null],
  ['/admin/nothing', null],
  ['/admin/people/x', null],
])('%s shows %s', (path, address) => {
  const { pathname, search, hash } = new URL(path, 'https://x.example');
  expect(resolvePagePath({ pathname, search, hash })).toBe(address);
});
