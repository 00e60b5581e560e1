export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The encoding to answer in: of those there are, the one the client likes best (RFC 9110, 12.5.3), and of equals the
 * first in the order of `ENCODINGS`. `identity` where nothing there is acceptable, because a readable answer beats a refusal.
 */
export function negotiateEncoding(acceptEncoding: string | undefined, available: ReadonlySet<Encoding>): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = parseWeights(acceptEncoding);
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of ENCODINGS) {
    const weight = weightOf(encoding, weights);
    if (available.has(encoding) && weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

function weightOf(encoding: Encoding, weights: ReadonlyMap<string, number>): number {
  const weight = weights.get(encoding) ?? weights.get('*');
  // Unnamed, identity is acceptable, and less so than anything that was asked for.
  return weight ?? (encoding === 'identity' ? 0.0001 : 0);
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}
