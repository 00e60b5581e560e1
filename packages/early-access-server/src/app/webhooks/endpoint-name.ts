/** In UTF-16 code units. */
export const MAX_WEBHOOK_NAME = 80;

/** The endpoint's name: the one given, otherwise the URL's host. */
export function nameEndpoint(given: string | null, url: string): string {
  const name = given?.trim() ?? '';
  return name === '' ? new URL(url).host : name;
}

/** The name after a change. A name that was the old URL's host becomes the new URL's host. */
export function renameEndpoint(
  before: { readonly name: string; readonly url: string },
  { name, url = before.url }: { readonly name?: string; readonly url?: string },
): string {
  const isHost = before.name === nameEndpoint(null, before.url);
  return nameEndpoint(name ?? (isHost ? null : before.name), url);
}
