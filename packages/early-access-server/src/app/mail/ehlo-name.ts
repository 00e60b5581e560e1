/** A name that resolves publicly: it has a domain that is neither a number nor local. */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.)+(?!\d+$|localhost$|local$|localdomain$|internal$)[a-z\d-]+$/i;

/**
 * Returns the first candidate that is suitable for EHLO, or undefined. Many mail servers reject all email from a server
 * that introduces itself as `localhost`, an address, or a name without a domain.
 */
export function chooseEhloName(candidates: readonly (string | undefined)[]): string | undefined {
  return candidates.find((name) => name !== undefined && PUBLIC_NAME.test(name));
}
