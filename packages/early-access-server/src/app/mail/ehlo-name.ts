/**
 * Any name that a stranger can look up: it has a domain, which is neither a number nor of this machine or its network.
 */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.)+(?!\d+$|localhost$|local$|localdomain$|internal$)[a-z\d-]+$/i;

/**
 * The first host name by which this server can introduce itself in EHLO. Many mail servers refuse every email of one
 * that says `localhost`, an address or a name without a domain. Undefined if there is none.
 */
export function chooseEhloName(candidates: readonly (string | undefined)[]): string | undefined {
  return candidates.find((name) => name !== undefined && PUBLIC_NAME.test(name));
}
