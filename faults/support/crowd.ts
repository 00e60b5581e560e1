import { rounds } from '@early-access-kit/testkit/fault-runs';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { INITIAL_TOTALS } from 'early-access-kit/internal';
import { emptyLedger, type Ledger, type SessionRecord } from './ledger.ts';

export interface Crowd {
  /** Resolves when all visitors have stopped. */
  readonly gone: Promise<void>;
  /** Lets visitors finish their current request without starting another. */
  leave(): void;
}

export interface CrowdOptions {
  /** Called before each request, so that requests can follow a restarted server or be spread over several. */
  readonly url: () => string;
  readonly ledger: Ledger;
  /** Called after each response that acknowledges a write. */
  readonly onAcknowledged?: () => void;
  /**
   * Number of clients that sign up concurrently; as many others send sessions. Default: 6, or 2 in short runs, which
   * leaves fewer emails to send.
   */
  readonly visitors?: number;
}

let lastClient = 0;

/** Returns the address of a new client. */
export function newClient(): string {
  lastClient += 1;
  return `10.${(lastClient >> 16) & 255}.${(lastClient >> 8) & 255}.${lastClient & 255}`;
}

/** Posts from a new client address, as forwarded by a proxy. */
export function postAsNewClient(url: string, body: unknown, type = 'text/plain'): Promise<Response> {
  const headers = { 'Content-Type': type, 'X-Forwarded-For': newClient() };
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
}

/** Returns the response's status, or null if no complete response arrived. */
async function statusOfPost(url: string, body: unknown): Promise<number | null> {
  try {
    const response = await postAsNewClient(url, body);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Signs an address up. Returns whether the server created the signup. */
export async function signUp(url: string, email: string, ledger: Ledger): Promise<boolean> {
  const signup = ledger.requested.get(email) ?? signupOf({ email });
  ledger.requested.set(email, signup);
  if ((await statusOfPost(`${url}/api/signups`, signup)) !== 201) return false;
  ledger.created.add(email);
  ledger.acknowledgements += 1;
  return true;
}

/** Signs up new people concurrently. Returns their addresses. Throws if one of them is not created. */
export async function signAllUp(url: string, people: number): Promise<string[]> {
  const emails = Array.from({ length: people }, () => `${crypto.randomUUID()}@example.org`);
  const created = await Promise.all(emails.map((email) => signUp(url, email, emptyLedger())));
  if (!created.every(Boolean)) throw new Error('a signup was not accepted');
  return emails;
}

/** Starts clients that send signups and sessions until `leave` is called. */
export function startCrowd({
  url,
  ledger,
  onAcknowledged = () => {},
  visitors = rounds({ short: 2, long: 6 }),
}: CrowdOptions): Crowd {
  let leaving = false;

  async function signer(): Promise<void> {
    while (!leaving) {
      if (await signUp(url(), `${crypto.randomUUID()}@example.org`, ledger)) onAcknowledged();
    }
  }

  async function visitor(): Promise<void> {
    while (!leaving) {
      const start = sessionOf();
      if ((await statusOfPost(`${url()}/api/sessions`, start)) !== 204) continue;
      const session: SessionRecord = { start, sent: null, acknowledged: null };
      ledger.sessions.set(start.id, session);
      ledger.acknowledgements += 1;
      onAcknowledged();
      for (let page = 1; page <= 3 && !leaving; page += 1) await flush(session, page);
    }
  }

  async function flush(session: SessionRecord, page: number): Promise<void> {
    const { start } = session;
    const session_end = start.session_start + page * 1_000;
    const totals = { ...INITIAL_TOTALS, session_end, page_count: page, total_duration: page * 5, click_count: page };
    session.sent = totals;
    if ((await statusOfPost(`${url()}/api/sessions/${start.id}`, updateOf(start, totals))) !== 204) return;
    session.acknowledged = totals;
    ledger.acknowledgements += 1;
    onAcknowledged();
  }

  const gone = Promise.all(Array.from({ length: visitors }, () => [signer(), visitor()]).flat());
  return {
    gone: gone.then(() => {}),
    leave() {
      leaving = true;
    },
  };
}
