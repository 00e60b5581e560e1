// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { isAdminShortcut } from './admin-shell.tsx';

const press = (init: KeyboardEventInit) =>
  isAdminShortcut(new KeyboardEvent('keydown', { ctrlKey: true, altKey: true, key: 'a', code: 'KeyA', ...init }));

describe('isAdminShortcut', () => {
  it.each<[string, KeyboardEventInit]>([
    ['Ctrl+Alt+A', {}],
    ['the "å" that macOS types with Alt held', { key: 'å' }],
    ['a dead key in the position of A', { key: 'Dead' }],
    ['the letter in another position', { code: 'KeyQ' }],
    ['the capital letter with Caps Lock on', { key: 'A', code: 'KeyQ' }],
    ['a remote keyboard that sends no code', { code: '' }],
  ])('accepts %s', (_, init) => expect(press(init)).toBe(true));

  it.each<[string, KeyboardEventInit]>([
    ['without Ctrl', { ctrlKey: false }],
    ['without Alt', { altKey: false }],
    ['with Shift', { shiftKey: true }],
    ['with the Command key', { metaKey: true }],
    ['with AltGr, which types a letter', { modifierAltGraph: true, key: 'ą' }],
    ['during input method composition', { isComposing: true }],
    ['while the key is held down', { repeat: true }],
    ['with another key', { key: 'b', code: 'KeyB' }],
    ['with a key whose name contains an "a"', { key: 'Tab', code: 'Tab' }],
  ])('ignores it %s', (_, init) => expect(press(init)).toBe(false));
});
