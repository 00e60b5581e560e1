import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROXY_FACTOR } from '../../app/access/client-networks.ts';
import { DEFAULT_RATE_LIMITS as LIMITS } from '../../app/access/rate-limits.ts';

const DOCUMENT = readFileSync(new URL('../../../../../docs/security-model.md', import.meta.url), 'utf8');
const WORDS = DOCUMENT.replaceAll(/\s+/g, ' ');
const count = (value: number) => value.toLocaleString('en');

/** Other numbers are checked by `scripts/documents/stated-limits.ts`. */
it.each([
  `${LIMITS.signups.perMinute} signups a minute with a burst of ${LIMITS.signups.burst}`,
  `${LIMITS.sessions.perMinute} session writes, ${LIMITS.summaries.perMinute} summary reads`,
  `${LIMITS.signupsPerMailbox.perMinute} signups a minute with a burst of ${LIMITS.signupsPerMailbox.burst}`,
  `${LIMITS.signupForms.burst * PROXY_FACTOR} forms, then ${LIMITS.signupForms.perMinute * PROXY_FACTOR} a minute`,
  `${LIMITS.sessionBytes.burst / 1e6} MB a day for a client and ${LIMITS.allSessionBytes.burst / 1e6} MB for all`,
  `after ${count(LIMITS.allWrongAdmins.burst)} in total everyone does`,
  `A client may ask ${LIMITS.signIns.perMinute} times a minute and all clients ${count(LIMITS.allSignIns.perMinute)}`,
  `${LIMITS.apiKeyRequests.perMinute} requests a minute, ${LIMITS.apiKeyWrites.perMinute} of them changes`,
  `A client may ask ${LIMITS.newLinks.perMinute} times a minute with a burst of ${LIMITS.newLinks.burst}`,
  `Confirming: ${LIMITS.confirmations.perMinute} a minute; unsubscribing: ${LIMITS.unsubscriptions.perMinute}`,
  `get the same response, ${LIMITS.statusPages.perMinute} a minute for a client`,
])('docs/security-model.md states the rate limit of the code: %s', (statement) => {
  expect(WORDS).toContain(statement);
});
