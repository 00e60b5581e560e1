import { expect, it } from 'vitest';
import { findPage } from './pages.ts';

it.each([
  ['/', 'landing'],
  ['/index.html', 'landing'],
  ['/nowhere', 'not-found'],
  ['/index', 'not-found'],
  ['//', 'not-found'],
  ['/404.html', 'not-found'],
])('%s is the %s page', (pathname, name) => {
  expect(findPage(pathname).name).toBe(name);
});
