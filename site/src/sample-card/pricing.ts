/** What a product earns, in whole cents so that nothing is lost to binary fractions. */
export interface Earnings {
  readonly profitCents: number;
  /** Profit as a share of the selling price, from 0 to 1; negative where the product is sold at a loss. */
  readonly margin: number;
}

/** Throws a `RangeError` where there is no price to take a share of. */
export function earnings(costCents: number, priceCents: number): Earnings {
  if (!(priceCents > 0)) throw new RangeError('a price has to be above zero');
  const profitCents = priceCents - costCents;
  return { profitCents, margin: profitCents / priceCents };
}

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function dollars(cents: number): string {
  return DOLLARS.format(cents / 100);
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
