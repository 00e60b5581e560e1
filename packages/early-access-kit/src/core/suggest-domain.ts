/**
 * Domains with many mailboxes, in the countries of the kit's languages, except short names that resemble too many
 * others. None of them is ever corrected.
 */
const DOMAINS =
  'gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com aol.com mail.com email.com ymail.com foxmail.com fastmail.com protonmail.com proton.me globo.com btinternet.com comcast.net laposte.net yahoo.co.uk hotmail.co.uk yahoo.fr hotmail.fr orange.fr wanadoo.fr hotmail.es yahoo.com.br terra.com.br libero.it virgilio.it t-online.de freenet.de ziggo.nl kpnmail.nl interia.pl yahoo.co.jp docomo.ne.jp'.split(
    ' ',
  );

/** Misspelled endings that do not exist. */
const MISSPELLED_COM = /\.(con|cmo|ocm|vom|xom|cpm|comm)$/;
/** Real endings, but rare for a provider whose domain ends in `.com`. */
const SHORTENED_COM = /\.(c|co|cm|om)$/;

/**
 * Returns the domain that was probably meant; undefined if the given one may be right. With `isComplete` false, the
 * beginning of a known domain may be right, too.
 */
export function suggestDomain(domain: string, isComplete = true): string | undefined {
  if (DOMAINS.some((known) => known === domain || (!isComplete && known.startsWith(domain)))) return undefined;
  const corrected = domain.replace(MISSPELLED_COM, '.com');
  const [name = ''] = domain.split('.');
  const meant = DOMAINS.find((known) => {
    const [knownName = ''] = known.split('.');
    if (known === corrected) return true;
    // The same provider in another country is fine, but Gmail has only one domain.
    if (name === knownName) {
      return name === domain || name === 'gmail' || (SHORTENED_COM.test(domain) && known.endsWith('.com'));
    }
    // Short names resemble each other too much.
    return knownName.length > 4 && isNear(corrected, known, knownName.length > 5 ? 2 : 1);
  });
  return meant ?? (corrected === domain ? undefined : corrected);
}

/** Returns whether at most `mistakes` letters are missing, superfluous, wrong or swapped with the next one. */
function isNear(a: string, b: string, mistakes: number): boolean {
  if (a === b || mistakes === 0) return a === b;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const [next, other] = [a.slice(at), b.slice(at)];
  const isNearAfter = (ours: number, theirs: number) => isNear(next.slice(ours), other.slice(theirs), mistakes - 1);
  const isSwapped = next[0] === other[1] && next[1] === other[0];
  return isNearAfter(1, 1) || isNearAfter(1, 0) || isNearAfter(0, 1) || (isSwapped && isNearAfter(2, 2));
}
