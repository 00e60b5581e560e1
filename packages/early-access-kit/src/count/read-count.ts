/** The request of each server, which every counter of a page shares. */
const requests = new Map<string, Promise<number | null>>();

/** The number of people that the server shows; null if it shows none, or cannot be reached. Sends nothing about the visitor. */
export function readCount(endpoint: string): Promise<number | null> {
  const request = requests.get(endpoint) ?? requestCount(endpoint);
  requests.set(endpoint, request);
  return request;
}

async function requestCount(endpoint: string): Promise<number | null> {
  try {
    const response = await fetch(`${endpoint}/count`, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    const { count }: { readonly count?: unknown } = await response.json();
    return typeof count === 'number' ? count : null;
  } catch {
    return null;
  }
}

/** Returns the text with the number in the place of `{count}`. `findForm` returns the text of a plural category, if there is one. */
export function formatCount(
  count: number,
  locale: string | undefined,
  findForm: (rule: Intl.LDMLPluralRule) => string | null | undefined,
): string {
  const form = findForm(new Intl.PluralRules(locale).select(count)) ?? findForm('other') ?? '{count}';
  return form.replace('{count}', new Intl.NumberFormat(locale).format(count));
}
