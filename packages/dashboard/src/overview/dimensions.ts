import { type Dimension, OTHER } from 'early-access-server/admin-api';

interface DimensionTexts {
  readonly name: string;
  /** Shown for the empty value. */
  readonly none: string;
}

/** The first column of a breakdown: a dimension of sessions, or pages by their views. */
export type Listed = Dimension | 'page_path';

const TEXTS: Readonly<Record<Listed, DimensionTexts>> = {
  referrer_host: { name: 'Referrer', none: 'Direct or unknown' },
  utm_source: { name: 'UTM source', none: 'No UTM source' },
  utm_medium: { name: 'UTM medium', none: 'No UTM medium' },
  utm_campaign: { name: 'UTM campaign', none: 'No UTM campaign' },
  page_path: { name: 'Top pages', none: 'Unknown page' },
  landing_path: { name: 'Landing page', none: 'Unknown page' },
  device_type: { name: 'Device', none: 'Unknown device' },
  browser: { name: 'Browser', none: 'Unknown browser' },
  os: { name: 'System', none: 'Unknown system' },
  visitor_type: { name: 'New or returning', none: 'Unknown' },
  country: { name: 'Country', none: 'Unknown country' },
};

/** Values that are interface terms, not texts from the site. */
const WORDS: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  mobile: 'Phone',
  tablet: 'Tablet',
  new: 'New visitors',
  returning: 'Returning visitors',
};

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** Returns unknown codes unchanged: a filter in the URL may have any value. */
function nameCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code;
}

export function nameDimension(dimension: Listed): string {
  return TEXTS[dimension].name;
}

export function valueName(dimension: Listed, value: string): string {
  if (value === '') return TEXTS[dimension].none;
  if (value === OTHER) return 'Everything else';
  if (dimension === 'country') return nameCountry(value);
  const isWord = dimension === 'device_type' || dimension === 'visitor_type';
  return (isWord && WORDS[value]) || value;
}
