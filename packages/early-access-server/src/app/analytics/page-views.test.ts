import { sessionOf, updateOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { addPageView, type PageView, toPageView } from './page-views.ts';

it('an update without an end is a view of its page, from the second to the hundredth of its session', () => {
  const toView = (totals: Parameters<typeof updateOf>[1]) => toPageView(updateOf(sessionOf(), totals));
  expect(toView({ page_count: 2, page_path: '/b' })).toEqual({ number: 2, path: '/b' });
  expect(toView({ page_count: 100, page_path: '/b' })).toEqual({ number: 100, path: '/b' });
  for (const none of [
    { page_count: 1, page_path: '/b' },
    { page_count: 101, page_path: '/b' },
    { page_count: 2 },
    { page_count: 2, page_path: '/b', session_end: 5 },
  ]) {
    expect(toView(none)).toBeUndefined();
  }
});

it('a view counts once, and with the lower path if two tabs gave it the same number', () => {
  const addAll = (views: readonly PageView[]) =>
    views.reduce<string | null>((stored, view) => addPageView(stored, view) ?? stored, null);
  const [second, third] = [
    { number: 2, path: '/b' },
    { number: 3, path: '/' },
  ];
  expect(addAll([second])).toBe('[[2,"/b"]]');
  expect(addAll([second, third, second])).toBe('[[2,"/b"],[3,"/"]]');
  expect(addPageView('[[2,"/b"]]', second)).toBeNull();
  const other = { number: 2, path: '/a' };
  expect([addAll([second, other]), addAll([other, second])]).toEqual(['[[2,"/a"]]', '[[2,"/a"]]']);
});
