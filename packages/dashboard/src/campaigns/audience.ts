import type { Audience } from 'early-access-server/admin-api';

/** How each state of a person is called in sentences. */
export const STATE_TEXTS = {
  pending: 'not confirmed',
  subscribed: 'waiting',
  invited: 'invited',
  joined: 'joined',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
} as const;

/** `people who are waiting or invited, from landing_page`. */
export function audienceText({ states, source }: Audience): string {
  const who = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(states.map((state) => STATE_TEXTS[state]));
  return `people who are ${who || 'in no state'}${source === null ? '' : `, from ${source}`}`;
}
