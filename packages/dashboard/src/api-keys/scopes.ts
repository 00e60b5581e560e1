import type { ApiScope } from 'early-access-server/admin-api';

/** What a key of each scope may do. */
export const SCOPE_TEXTS: Readonly<Record<ApiScope, { readonly name: string; readonly hint: string }>> = {
  numbers: { name: 'Read numbers', hint: 'The figures of the overview and of the list. No addresses.' },
  people: { name: 'Read people', hint: 'Everyone on the list, with their records and the CSV.' },
  redeem: { name: 'Redeem invitations', hint: 'For the back end of your product. It learns the addresses.' },
};
