/**
 * Whether a form may be sent from a page of this origin: one of the site, or of the host that was asked, which is another one
 * for previews of the site. Programs that are no browser send none. CORS alone would not stop a foreign page's simple POST.
 */
export function isOwnOrigin(origin: string | undefined, site: URL, host: string | undefined): boolean {
  if (origin === undefined || origin === site.origin) return true;
  // The scheme is not compared: TLS ends before the function.
  return host !== undefined && origin.replace(/^https?:\/\//, '') === host.toLowerCase();
}
