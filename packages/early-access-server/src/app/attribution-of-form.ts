import { type Attribution, attributionOf } from 'early-access-kit/core';

/** Room for the longest page that is stored and its campaign. Names in an address are normalised, which takes quadratic time. */
const MAX_REFERER_LENGTH = 4_096;

/**
 * Where a form that was posted without scripts stood, by the browser's `Referer`: the page's address, or no more than its origin where
 * the form belongs to another site. A page without scripts cannot write its own query into hidden fields.
 */
export function attributionOfForm(referer: string | undefined): Attribution {
  const page = referer === undefined || referer.length > MAX_REFERER_LENGTH ? null : URL.parse(referer);
  return page === null ? {} : attributionOf(page);
}
