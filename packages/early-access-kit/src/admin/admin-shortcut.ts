/**
 * Ctrl+Alt+A, by the key's place or its letter: with Alt held macOS types "å" there, and some layouts have the letter elsewhere.
 * AltGr counts as Ctrl+Alt on Windows but types a letter on many keyboards, and an input method owns its keys while it composes.
 */
export function isAdminShortcut(event: KeyboardEvent): boolean {
  return (
    event.ctrlKey &&
    event.altKey &&
    !event.shiftKey &&
    !event.metaKey &&
    !event.repeat &&
    !event.isComposing &&
    !event.getModifierState('AltGraph') &&
    (event.code === 'KeyA' || /^a$/i.test(event.key))
  );
}
