import { DAY_MS } from 'early-access-kit/internal';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

export type MountMistake =
  | 'path-stripped'
  | 'path-prefixed'
  | 'client-unknown'
  | 'proxy-not-trusted'
  | 'clients-share-address'
  | 'jobs-not-running'
  | 'invite-key-wrong';

/** Text for the log and the health page: the mistake and how to fix it. */
export const MOUNT_ADVICE: Readonly<Record<MountMistake, string>> = {
  'path-stripped':
    'Signups arrive at /signups: the host removes /api from the path. Pass on requests with their full path.',
  'path-prefixed':
    'Signups arrive below a path other than /api. Serve the application at the root of its origin, as /api, /confirm, /unsubscribe and /admin.',
  'client-unknown':
    'The host does not say where requests come from, so all visitors share one rate limit. Pass clientAddress to fetch, or set trustProxy to the number of proxies.',
  'proxy-not-trusted':
    'Requests have X-Forwarded-For, which TRUST_PROXY=0 ignores. If a proxy is in front of this server, all visitors share one rate limit: set TRUST_PROXY (trustProxy) to the number of proxies. If there is none, a client has forged the header.',
  'clients-share-address':
    'Nearly all visitors seem to come from one address, and share one rate limit. Set TRUST_PROXY (trustProxy) to the number of proxies in front of this server that append to X-Forwarded-For: the page of your platform says how many. If the number is already right, one client is sending nearly all requests.',
  'jobs-not-running':
    'Emails have been due for more than 10 minutes, and nothing sends them. Call start() in a process that keeps running, or runJobs() every few minutes from a cron job.',
  'invite-key-wrong':
    'A back end checks invitations with a wrong key, so nobody it checks can join. Give it the INVITE_KEY of this server, or an API key with the scope redeem.',
};

export function mountMistakes({ log, clock }: { readonly log: Log; readonly clock: Clock }) {
  /** The time at which each mistake was last noticed. */
  const noticed = new Map<MountMistake, number>();
  return {
    /** Records the mistake, and logs it the first time. */
    note(mistake: MountMistake): void {
      if (!noticed.has(mistake)) log('warn', 'mount-mistake', { mistake, fix: MOUNT_ADVICE[mistake] });
      noticed.set(mistake, clock());
    },
    recent: () => [...noticed].filter(([, at]) => clock() - at < DAY_MS).map(([mistake]) => mistake),
  };
}
