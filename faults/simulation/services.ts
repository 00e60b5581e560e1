import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '@early-access-kit/testkit/fault-runs';
import type { DeliveryResult, Email, MailTransport } from 'early-access-server';
import type {
  PostResult,
  WebhookRequest,
  WebhookTransport,
} from '../../packages/early-access-server/src/app/ports/webhook-transport.ts';

export interface Moment {
  readonly time: number;
  /** Number of failures of processes and the disk by then. */
  readonly failures: number;
}

/** An email or event that a process has delivered to the mail server or a receiver. */
interface Handed<T> {
  readonly what: T;
  /** False until it is accepted, because the recipient has not seen it. */
  accepted: boolean;
  readonly at: Moment;
  /** When the process learned that it was accepted; null if it has not. */
  knownAt: Moment | null;
}

/** The mail server and the webhook receivers. */
export interface Services {
  readonly mails: readonly Handed<Email>[];
  readonly posts: readonly Handed<WebhookRequest>[];
  /** `calm`: everything is accepted immediately. `down`: nothing is accepted. */
  state: 'calm' | 'failing' | 'down';
  /** Returns the transports of one process. Once `hasEnded` returns true, they neither send nor receive anything. */
  transports(hasEnded: () => boolean): { readonly mail: MailTransport; readonly webhooks: WebhookTransport };
}

/** Maximum time until the mail server loses a connection. */
const SLOWEST_MS = 60_000;

/** A response that never arrives, because the process has ended. */
const never = () => new Promise<never>(() => {});

export function createServices(chance: () => Chance, moment: () => Moment): Services {
  const mails: Handed<Email>[] = [];
  const posts: Handed<WebhookRequest>[] = [];

  async function slowly(): Promise<void> {
    if (services.state === 'failing' && chance().below(4) === 0) await sleep(chance().below(SLOWEST_MS));
  }

  function drawFate<T>(handed: Handed<T>, fates: number, isAccepted: (fate: number) => boolean): number {
    const fate = services.state === 'calm' ? fates : services.state === 'down' ? 1 : chance().below(fates);
    handed.accepted = isAccepted(fate);
    return fate;
  }

  async function deliver(email: Email, hasEnded: () => boolean): Promise<DeliveryResult> {
    if (hasEnded()) return never();
    const handed: Handed<Email> = { what: email, accepted: false, at: moment(), knownAt: null };
    mails.push(handed);
    await slowly();
    // 0: no such mailbox. 1: try again later. 2: accepted, but the connection is lost. 3: lost before it is accepted.
    const fate = drawFate(handed, 12, (number) => number === 2 || number > 3);
    await slowly();
    if (hasEnded()) return never();
    if (fate === 0) return { outcome: 'refused', refusal: 'no-mailbox', reason: '550' };
    if (fate === 1) return { outcome: 'refused', refusal: 'later', reason: '451' };
    if (fate < 4) return { outcome: 'unknown', reason: 'the connection was lost' };
    handed.knownAt = moment();
    return { outcome: 'sent' };
  }

  async function post(request: WebhookRequest, hasEnded: () => boolean): Promise<PostResult> {
    if (hasEnded()) return never();
    const handed: Handed<WebhookRequest> = { what: request, accepted: false, at: moment(), knownAt: null };
    posts.push(handed);
    await slowly();
    // 0: accepted, but the response is lost. 1: an error.
    const fate = drawFate(handed, 8, (number) => number !== 1);
    await slowly();
    if (hasEnded()) return never();
    if (fate < 2) return { delivered: false, reason: 'timeout' };
    handed.knownAt = moment();
    return { delivered: true, status: 200 };
  }

  const services: Services = {
    mails,
    posts,
    state: 'failing',
    transports: (hasEnded) => ({
      mail: { deliver: (email) => deliver(email, hasEnded), close: async () => {} },
      webhooks: { post: (request) => post(request, hasEnded), close() {} },
    }),
  };
  return services;
}
