import { HOURS_BY_HAND, MINUTES_WITH, PLATFORMS, rangeText } from './figures.ts';

export const SITE_NAME = 'PrintMargin';
export const SITE_TITLE = 'PrintMargin: the pricing calculator for print-on-demand artists';
export const SITE_DESCRIPTION =
  'Costs, platform fees, taxes and shipping calculated, ' +
  `${PLATFORMS} print-on-demand platforms compared, exact profit margins: a print priced in ` +
  `${rangeText(MINUTES_WITH)} minutes, not ${rangeText(HOURS_BY_HAND)} hours. Join the early-access list.`;

export const NOT_FOUND_TITLE = `Page not found | ${SITE_NAME}`;
export const NOT_FOUND_DESCRIPTION = 'There is no page at this address.';
