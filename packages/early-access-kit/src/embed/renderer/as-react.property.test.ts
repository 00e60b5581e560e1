// @vitest-environment jsdom
import fc from 'fast-check';
import * as react from 'react';
import * as reactJsx from 'react/jsx-runtime';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as ours from '../react.ts';

/** Any page of the kind that the widgets render. */
type Page = Hole | string | Tag | Widget;
type Hole = null | false;
interface Tag {
  readonly tag: 'div' | 'p' | 'input' | 'svg' | 'list';
  readonly key?: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly children: readonly Page[];
}
interface Widget {
  readonly widget: 'One' | 'Other';
  readonly key?: string;
  readonly watched: number;
  readonly children: readonly Page[];
}

const hole = fc.constantFrom<Hole>(null, false);
const text = fc.constantFrom('a', 'b', '1');
const props = fc.record(
  {
    className: fc.constantFrom('eak-form', 'eak-form__input', undefined),
    hidden: fc.boolean(),
    title: fc.constantFrom('t', undefined, null),
    'aria-invalid': fc.boolean(),
    tabIndex: fc.constantFrom(-1, 0),
    spellCheck: fc.boolean(),
    style: fc.constantFrom(undefined, { position: 'fixed' }, { opacity: 1 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const { page } = fc.letrec<{ page: Page; children: readonly Page[] }>((tie) => ({
  page: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hole,
    text,
    fc.record({ tag: fc.constantFrom('div', 'p', 'svg', 'list'), props, children: tie('children') }),
    fc.record({ tag: fc.constant('input'), props, children: fc.constant([]) }),
    fc.record({ widget: fc.constantFrom('One', 'Other'), watched: fc.nat(2), children: tie('children') }),
  ),
  children: fc.oneof(
    fc.array(tie('page'), { maxLength: 4 }),
    fc.array(tie('page'), { maxLength: 5 }).chain(shuffledByKey),
  ),
}));

/** The same siblings with their own keys, which may be in another order on the next page. */
function shuffledByKey(siblings: readonly Page[]): fc.Arbitrary<readonly Page[]> {
  return fc
    .shuffledSubarray(['k1', 'k2', 'k3', 'k4', 'k5'], { minLength: siblings.length, maxLength: siblings.length })
    .map((keys) => siblings.map((one, at) => (one && typeof one === 'object' ? { ...one, key: keys[at] ?? '' } : one)));
}

interface Library<Made> {
  jsx(type: unknown, props: object, key?: string): Made;
  Fragment: unknown;
  useState(initial: number): readonly [number, (next: (before: number) => number) => void];
  useEffect(run: () => () => void, deps: readonly unknown[]): void;
  useLayoutEffect(run: () => () => void, deps: readonly unknown[]): void;
  useRef(initial: null): { current: unknown };
}

/** Creates the page with the library's elements and logs what its widgets do. */
function author<Made>({ jsx, Fragment, useState, useEffect, useLayoutEffect, useRef }: Library<Made>) {
  const log: string[] = [];
  const widget =
    (name: string) =>
    ({ watched, content }: { watched: number; content: unknown }) => {
      const [seen, setSeen] = useState(0);
      const own = useRef(null);
      useLayoutEffect(() => {
        log.push(`${name} laid out ${watched} ${own.current !== null}`);
        return () => log.push(`${name} layout undone ${watched} ${own.current !== null}`);
      }, [watched]);
      useEffect(() => {
        log.push(`${name} ran ${watched}`);
        setSeen((before) => before + watched);
        return () => log.push(`${name} undone ${watched}`);
      }, [watched]);
      return jsx('section', { ref: own, id: `${name}${seen}`, children: content });
    };
  const widgets = { One: widget('One'), Other: widget('Other') };
  const elementOf = (page: Page): Made | Hole | string => {
    if (page === null || typeof page !== 'object') return page;
    const children = page.children.map(elementOf);
    // A list is an array among siblings; otherwise the children are passed directly.
    const content = children.length === 0 ? undefined : jsx(Fragment, { children });
    if ('widget' in page) return jsx(widgets[page.widget], { watched: page.watched, content }, page.key);
    if (page.tag === 'list') return jsx(Fragment, { children: [children, 'end'] }, page.key);
    if (page.tag === 'svg')
      return jsx('svg', { ...drawingOf(page.props), children: jsx('path', { strokeLinecap: 'round' }) }, page.key);
    return jsx(page.tag, page.tag === 'input' ? page.props : { ...page.props, children }, page.key);
  };
  return { log, elementOf };
}

function drawingOf({ className, hidden, tabIndex }: Tag['props']) {
  return { className, viewBox: '0 0 16 16', focusable: hidden, strokeWidth: tabIndex };
}

/** Returns the DOM's structure, ignoring the order of attributes and parts, which only our renderer sets. */
function outlineOf(node: Node): unknown {
  if (!(node instanceof Element)) return node.nodeValue;
  const attributes = [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort();
  const shown = attributes.filter((attribute) => !attribute.startsWith('part='));
  return [node.namespaceURI, node.localName, shown, [...node.childNodes].map(outlineOf)];
}

describe('the renderer of the elements', () => {
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    // React warns about missing keys, which half of these pages omit on purpose.
    vi.spyOn(console, 'error').mockReturnValue();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('puts on the page what React would, whatever changes into whatever', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), (pages) => {
        const [theirs, its] = [document.createElement('main'), document.createElement('main')];
        const root = createRoot(theirs);
        const tree = ours.createRoot(its);
        const [byReact, byUs] = [author({ ...react, ...reactJsx }), author(ours)];
        for (const next of [...pages, null]) {
          react.act(() => root.render(byReact.elementOf(next)));
          tree.render(byUs.elementOf(next));
          tree.update();
          tree.update();
          expect(outlineOf(its)).toEqual(outlineOf(theirs));
          expect(byUs.log.splice(0)).toEqual(byReact.log.splice(0));
        }
      }),
      { numRuns: 150 },
    );
  });
});
