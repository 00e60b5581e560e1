// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { isAdminShortcut } from './admin-shell.tsx';

const press = (init: KeyboardEventInit) =>
  isAdminShortcut(new KeyboardEvent('keydown', { ctrlKey: true, altKey: true, key: 'a', code: 'KeyA', ...init }));

describe('isAdminShortcut', () => {
  it.each<[string, KeyboardEventInit]>([
    ['Ctrl+Alt+A', {}],
    ['the "å" that macOS types with Alt held', { key: 'å' }],
    ['a dead key in that place', { key: 'Dead' }],
    ['the letter where a layout has it elsewhere', { code: 'KeyQ' }],
    ['the capital letter under Caps Lock', { key: 'A', code: 'KeyQ' }],
    ['a remote keyboard that sends no code', { code: '' }],
  ])('takes %s', (_, init) => expect(press(init)).toBe(true));

  it.each<[string, KeyboardEventInit]>([
    ['without Ctrl', { ctrlKey: false }],
    ['without Alt', { altKey: false }],
    ['with Shift', { shiftKey: true }],
    ['with the command key', { metaKey: true }],
    ['with AltGr, which types a letter', { modifierAltGraph: true, key: 'ą' }],
    ['while an input method composes', { isComposing: true }],
    ['while the key is held down', { repeat: true }],
    ['with another key', { key: 'b', code: 'KeyB' }],
    ['with a key whose name holds an "a"', { key: 'Tab', code: 'Tab' }],
  ])('ignores it %s', (_, init) => expect(press(init)).toBe(false));
});
