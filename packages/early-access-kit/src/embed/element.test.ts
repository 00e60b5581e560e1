// @vitest-environment jsdom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { defineElement, hasFlag } from './element.ts';
import type { Page } from './page.tsx';

const page = {
  add: vi.fn<Page['add']>(),
  changed: vi.fn<Page['changed']>(),
  settings: () => ({ adapter: memoryAdapter() }),
  configure: vi.fn<Page['configure']>(),
};
const widget = vi.fn(() => () => null);

beforeAll(() => {
  const early = document.body.appendChild(document.createElement('early-widget'));
  Object.assign(early, { endSession: 'idle', ignoreGpc: true });
  defineElement('early-widget', page, { texts: ['consent', 'endSession'], flags: ['ignoreGpc'], widget });
});
afterEach(() => void vi.clearAllMocks());

const created = () => document.createElement('early-widget');
const readProperty = (element: Element, property: string): unknown => Reflect.get(element, property);

it('adopts properties that were set before it was defined', () => {
  expect(document.querySelector('early-widget')?.outerHTML).toBe(
    '<early-widget end-session="idle" ignore-gpc=""></early-widget>',
  );
});

it('reflects each property as an attribute and each attribute as a property', () => {
  const element = created();
  expect([readProperty(element, 'endSession'), readProperty(element, 'ignoreGpc')]).toEqual(['', false]);
  element.setAttribute('end-session', 'idle');
  element.setAttribute('ignore-gpc', '');
  expect([readProperty(element, 'endSession'), readProperty(element, 'ignoreGpc')]).toEqual(['idle', true]);
  Object.assign(element, { endSession: 'unload', ignoreGpc: false, consent: 'granted' });
  expect(element.outerHTML).toBe('<early-widget end-session="unload" consent="granted"></early-widget>');
});

it('treats a flag as off if a framework wrote the value `false`', () => {
  const element = created();
  for (const [value, isOn] of [
    ['false', false],
    ['FALSE', false],
    ['', true],
    ['true', true],
    ['ignore-gpc', true],
  ]) {
    element.setAttribute('ignore-gpc', String(value));
    expect([value, readProperty(element, 'ignoreGpc'), hasFlag(element, 'ignore-gpc')]).toEqual([value, isOn, isOn]);
  }
  Object.assign(element, { ignoreGpc: 'false' });
  expect(readProperty(element, 'ignoreGpc')).toBe(false);
});

it('keeps its render function when it is moved, and renders again when an attribute changes', () => {
  const element = created();
  const [first, second] = [document.body.appendChild(document.createElement('p')), document.body];
  expect(page.add).not.toHaveBeenCalled();
  first.append(element);
  second.append(element);
  expect(page.add.mock.calls.map(([, draw]) => draw)).toEqual([
    widget.mock.results[0]?.value,
    widget.mock.results[0]?.value,
  ]);
  page.changed.mockClear();
  element.setAttribute('consent', 'asked');
  element.setAttribute('class', 'of no interest');
  expect(page.changed).toHaveBeenCalledOnce();
  element.remove();
  expect(page.changed).toHaveBeenCalledTimes(2);
});
