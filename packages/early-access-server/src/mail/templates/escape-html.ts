/**
 * Escapes text for use in HTML content and quoted attributes.
 *
 * @example
 * `<p>${escapeHtml(data.name)}</p>`
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
