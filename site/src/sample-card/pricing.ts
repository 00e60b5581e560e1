/** A product's earnings, in whole cents to avoid rounding errors. */
export interface Earnings {
  readonly profitCents: number;
  /** Profit as a share of the selling price, from 0 to 1; negative if the product is sold at a loss. */
  readonly margin: number;
}

/** Throws a `RangeError` unless the price is positive. */
export function earnings(costCents: number, priceCents: number): Earnings {
  if (!(priceCents > 0)) throw new RangeError('a price has to be above zero');
  const profitCents = priceCents - costCents;
  return { profitCents, margin: profitCents / priceCents };
}

/** Avoids `Intl`: on a phone, loading it takes longer than all of the page's scripts and delays interaction. */
export function dollars(cents: number): string {
  const [whole = '', fraction] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${cents < 0 ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

const COST_CENTS = 1250;
const PRICE_CENTS = 3500;

/** The sample print that the page's figures are based on. */
export const SAMPLE = {
  name: 'Canvas Print 16x20',
  /** In inches. */
  width: 16,
  height: 20,
  costCents: COST_CENTS,
  priceCents: PRICE_CENTS,
  ...earnings(COST_CENTS, PRICE_CENTS),
} as const;
