/** Longest name, in UTF-16 code units. */
export const MAX_WEBHOOK_NAME = 80;

/** The name of an endpoint: the admin's, or else the host of its URL. */
export function nameEndpoint(given: string | null, url: string): string {
  const name = given?.trim() ?? '';
  return name === '' ? new URL(url).host : name;
}

/** The name after a change. A name that was the host of the old URL follows the URL. */
export function renameEndpoint(
  before: { readonly name: string; readonly url: string },
  { name, url = before.url }: { readonly name?: string; readonly url?: string },
): string {
  const isHost = before.name === nameEndpoint(null, before.url);
  return nameEndpoint(name ?? (isHost ? null : before.name), url);
}
