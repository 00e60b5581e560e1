// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createContext,
  createPortal,
  createRoot,
  jsx,
  useContext,
  useEffect,
  useId,
  useMemo,
  useState,
} from '../react.ts';
import type { Tree } from './tree.ts';

let place: HTMLElement;
let tree: Tree;

beforeEach(() => {
  place = document.body.appendChild(document.createElement('main'));
  tree = createRoot(place);
});
afterEach(() => {
  tree.render(undefined);
  place.remove();
  vi.restoreAllMocks();
});

const field = (key: string) => jsx('input', { id: key }, key);
const inputs = () => [...place.querySelectorAll('input')];

it('keeps the nodes of what has keys, with the focus and what was typed, while others come, go and move past', () => {
  tree.render([field('a'), field('b'), field('c')]);
  const [a, b] = inputs();
  b?.focus();
  if (b) b.value = 'typed';
  tree.render([field('d'), field('b'), field('a')]);
  expect(inputs().map(({ id }) => id)).toEqual(['d', 'b', 'a']);
  expect(inputs().slice(1)).toEqual([b, a]);
  expect(document.activeElement).toBe(b);
  expect(b?.value).toBe('typed');
});

let change: (update: number | ((before: number) => number)) => void;
const draw = vi.fn();

function Counter() {
  const [count, setCount] = useState(0);
  change = setCount;
  draw();
  return count;
}

it('draws all changes of one moment together, and nothing where the state is the same', async () => {
  tree.render(jsx(Counter, {}));
  change((before) => before + 1);
  change((before) => before + 1);
  expect(place.textContent).toBe('0');
  await vi.waitFor(() => expect(place.textContent).toBe('2'));
  change(2);
  await Promise.resolve();
  expect(draw).toHaveBeenCalledTimes(2);
  tree.render(undefined);
  change(3);
  await Promise.resolve();
  expect(draw).toHaveBeenCalledTimes(2);
});

it('calls the handler of the latest drawing, once', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  tree.render(jsx('input', { onChange: first }));
  tree.render(jsx('input', { onChange: second }));
  inputs()[0]?.dispatchEvent(new Event('input'));
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  tree.render(jsx('input', {}));
  inputs()[0]?.dispatchEvent(new Event('input'));
  expect(second).toHaveBeenCalledTimes(1);
});

const Word = createContext('nothing');
const Reader = () => `${useContext(Word)} `;

it('hands a context to what is below its nearest provider, and its default to the rest', () => {
  const read = () => jsx(Reader, {});
  const provide = (value: string, children: unknown) => jsx(() => Word.Provider({ value, children }), {});
  tree.render([read(), provide('outer', [read(), provide('inner', read())])]);
  expect(place.textContent).toBe('nothing outer inner ');
});

it('draws a portal into the other element and clears it afterwards', () => {
  const other = document.createElement('aside');
  tree.render(['here', createPortal(jsx('p', { children: 'there' }), other)]);
  expect([place.innerHTML, other.innerHTML]).toEqual(['here', '<p>there</p>']);
  tree.render('here');
  expect([place.innerHTML, other.innerHTML]).toEqual(['here', '']);
});

const double = vi.fn((of: unknown) => Number(of) * 2);
const Double = ({ of }: { of?: unknown }) => [useMemo(() => double(of), [of]), useId()];

it('computes anew what depends on a change, and keeps the rest', () => {
  tree.render(jsx(Double, { of: 1 }));
  const before = place.textContent;
  tree.render(jsx(Double, { of: 1 }));
  expect([place.textContent, double.mock.calls.length]).toEqual([before, 1]);
  tree.render(jsx(Double, { of: 2 }));
  expect(double).toHaveBeenCalledTimes(2);
});

describe('a component that throws', () => {
  it.each([
    ['while it is drawn', () => fail()],
    ['in a side effect', () => useEffect(fail, [])],
    ['when that is undone', () => useEffect(() => fail, [])],
  ])('is reported %s, and harms no other', (_, Broken) => {
    const reported = vi.spyOn(globalThis, 'reportError').mockReturnValue();
    tree.render([jsx(Broken, {}), jsx('p', { children: 'sound' })]);
    tree.settle();
    expect(place.textContent).toBe('sound');
    tree.render(jsx('p', { children: 'sound' }));
    tree.settle();
    expect(place.textContent).toBe('sound');
    expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('broken'));
  });
});

function fail(): never {
  throw new Error('broken');
}
