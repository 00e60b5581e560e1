/** The product's figures (SPEC section 9), each in one place; a range is shown as "2-3". */
export type Range = readonly [from: number, to: number];

export const PLATFORMS = '10+';
export const RECOMMENDED_MARGIN: Range = [55, 70];
/** Minutes to price one product, with the calculator and manually. */
export const MINUTES_WITH: Range = [2, 3];
export const HOURS_BY_HAND: Range = [4, 6];

export function rangeText([from, to]: Range): string {
  return `${from}-${to}`;
}

export const SITE_NAME = 'PrintMargin';
export const SITE_TITLE = 'PrintMargin: the pricing calculator for print-on-demand artists';
export const SITE_DESCRIPTION =
  'Costs, platform fees, taxes and shipping calculated, ' +
  `${PLATFORMS} print-on-demand platforms compared, exact profit margins: a print priced in ` +
  `${rangeText(MINUTES_WITH)} minutes, not ${rangeText(HOURS_BY_HAND)} hours. Join the early-access list.`;

export const NOT_FOUND_TITLE = `Page not found | ${SITE_NAME}`;
export const NOT_FOUND_DESCRIPTION = 'There is no page at this address.';
