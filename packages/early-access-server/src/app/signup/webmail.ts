/** Webmail URLs by email domain. */
const INBOXES: readonly (readonly [domains: RegExp, url: string])[] = [
  [/^(gmail|googlemail)\.com$/, 'https://mail.google.com/mail/'],
  [/^(outlook|hotmail|live|msn)\.(com|[a-z]{2}|com?\.[a-z]{2})$/, 'https://outlook.live.com/mail/'],
  [/^(yahoo\.(com|[a-z]{2}|com?\.[a-z]{2})|ymail\.com|rocketmail\.com)$/, 'https://mail.yahoo.com/'],
  [/^(icloud|me|mac)\.com$/, 'https://www.icloud.com/mail/'],
  [/^(proton\.me|protonmail\.com|pm\.me)$/, 'https://mail.proton.me/'],
  [/^(tuta\.(com|io)|tutanota\.(com|de)|tutamail\.com|keemail\.me)$/, 'https://app.tuta.com/'],
  [/^posteo\.(de|net|org|[a-z]{2}|com?\.[a-z]{2})$/, 'https://posteo.de/'],
  [/^gmx\.(de|net|at|ch)$/, 'https://www.gmx.net/'],
  [/^gmx\.(com|us|co\.uk|es|fr)$/, 'https://www.gmx.com/'],
  [/^web\.de$/, 'https://web.de/'],
  [/^fastmail\.(com|fm)$/, 'https://app.fastmail.com/'],
  [/^aol\.com$/, 'https://mail.aol.com/'],
];

/** The webmail URL for an address, or undefined if the provider is unknown. */
export function findWebmail(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return INBOXES.find(([domains]) => domains.test(domain))?.[1];
}
