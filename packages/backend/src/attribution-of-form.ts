import { type Attribution, attributionOf } from 'early-access-kit/core';

/**
 * Where a form that was posted without scripts stood, by the browser's `Referer`: the page's address, or no more than its origin where
 * the form belongs to another site. A page without scripts cannot write its own query into hidden fields.
 */
export function attributionOfForm(referer: string | undefined): Attribution {
  const page = referer === undefined ? null : URL.parse(referer);
  return page === null ? {} : attributionOf(page);
}
