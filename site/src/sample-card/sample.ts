import { earnings } from './pricing.ts';

const COST_CENTS = 1250;
const PRICE_CENTS = 3500;

/** The sample print that the page's figures are based on. */
export const SAMPLE = {
  name: 'Canvas Print 16x20',
  /** Inches. */
  width: 16,
  height: 20,
  costCents: COST_CENTS,
  priceCents: PRICE_CENTS,
  ...earnings(COST_CENTS, PRICE_CENTS),
} as const;
