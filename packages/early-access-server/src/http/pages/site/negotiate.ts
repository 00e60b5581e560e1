export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The available encoding that the client prefers (RFC 9110, 12.5.3). On a tie, the first one in `ENCODINGS`. `identity`
 * if none is acceptable, because a readable response is better than an error.
 */
export function negotiateEncoding(
  acceptEncoding: string | undefined,
  available: Pick<ReadonlySet<Encoding>, 'has'>,
): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = parseWeights(acceptEncoding);
  // If `identity` is not listed, it is acceptable, but less than any listed encoding.
  const findWeight = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? 0.0001 : 0);
  const [best = 'identity'] = ENCODINGS.filter((encoding) => available.has(encoding) && findWeight(encoding) > 0).sort(
    (a, b) => findWeight(b) - findWeight(a),
  );
  return best;
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
