import { type Finding, ok, problem, unknown } from './finding.ts';

/** Resolves TXT records like `node:dns/promises`. Rejects if there are none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** The DKIM selectors of common providers. */
const DKIM_SELECTORS =
  'default dkim mail google selector1 selector2 s1 s2 k1 k2 k3 pm resend krs mandrill mte1 mte2 fm1 fm2 fm3 brevo1 brevo2 mailgun mx pic smtp zoho protonmail'.split(
    ' ',
  );

/** Checks whether receivers can verify that emails from this domain are genuine. */
export async function* checkSender(
  domain: string,
  selector: string | null,
  resolve: ResolveTxt,
): AsyncGenerator<Finding> {
  const spf = await findRecord(resolve, [domain], /^v=spf1\b/i);
  yield spf === null
    ? problem('SPF', `${domain} has no SPF record`, `add the TXT record to ${domain} that your mail provider shows`)
    : /[?+]all\b/.test(spf)
      ? problem('SPF', 'the record lets every server send', 'end it with ~all or -all')
      : ok('SPF', spf);
  const selectors = selector === null ? DKIM_SELECTORS : [selector];
  const names = selectors.map((name) => `${name}._domainkey.${domain}`);
  const key = await findName(resolve, names, /\bp=[\w+/]/);
  if (key !== null) yield ok('DKIM', key);
  else if (selector === null)
    yield unknown('DKIM', 'no key under the usual selectors; name yours with --dkim <selector>');
  else yield problem('DKIM', `${names[0]} has no key`, 'add the TXT or CNAME record that your mail provider shows');
  const dmarc = await findRecord(
    resolve,
    withParents(domain).map((name) => `_dmarc.${name}`),
    /^v=DMARC1\b/i,
  );
  yield dmarc === null
    ? problem('DMARC', `${domain} has no DMARC record`, `add to _dmarc.${domain} the TXT record "v=DMARC1; p=none"`)
    : ok('DMARC', dmarc);
}

/** The domain and its parent domains, down to two labels: a record of the organizational domain applies to all. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

async function findRecord(resolve: ResolveTxt, names: readonly string[], pattern: RegExp): Promise<string | null> {
  for (const name of names) {
    const texts = await readTexts(resolve, name);
    const found = texts.find((text) => pattern.test(text));
    if (found !== undefined) return found;
  }
  return null;
}

async function findName(resolve: ResolveTxt, names: readonly string[], pattern: RegExp): Promise<string | null> {
  const found = await Promise.all(
    names.map(async (name) => ((await readTexts(resolve, name)).some((text) => pattern.test(text)) ? name : null)),
  );
  return found.find((name) => name !== null) ?? null;
}

async function readTexts(resolve: ResolveTxt, name: string): Promise<readonly string[]> {
  try {
    return (await resolve(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  }
}
