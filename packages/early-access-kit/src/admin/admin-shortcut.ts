/**
 * Returns whether the event is Ctrl+Alt+A. Checks both the key's position and its letter: with Alt held, macOS types "å", and some
 * layouts have the letter elsewhere. Excludes AltGr, which counts as Ctrl+Alt on Windows but types a letter on many keyboards, and
 * input method composition.
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
