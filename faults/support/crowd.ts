import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { INITIAL_TOTALS } from 'early-access-kit/core';
import type { Ledger, Visit } from './ledger.ts';

export interface Crowd {
  /** Ends when all visitors have stopped. */
  readonly gone: Promise<void>;
  /** Lets nobody begin anything more. */
  leave(): void;
}

export interface CrowdOptions {
  /** Asked before each request, so that visitors find a server that has moved, or spread over several. */
  readonly url: () => string;
  readonly ledger: Ledger;
  /** Called after each answer that promises something. */
  readonly onPromise?: () => void;
  /** How many sign up, and as many visit, at a time. */
  readonly visitors?: number;
}

let lastClient = 0;

/** Posts as a client of his own, behind a proxy. */
export function postAsNewClient(url: string, body: unknown): Promise<Response> {
  lastClient += 1;
  const client = `10.${(lastClient >> 16) & 255}.${(lastClient >> 8) & 255}.${lastClient & 255}`;
  const headers = { 'Content-Type': 'text/plain', 'X-Forwarded-For': client };
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
}

/** The status of the answer, or null where no whole answer came. */
async function statusOfPost(url: string, body: unknown): Promise<number | null> {
  try {
    const answer = await postAsNewClient(url, body);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

/** Signs an address up. Answers whether it was told that it is on the list. */
export async function signUp(url: string, email: string, ledger: Ledger): Promise<boolean> {
  const signup = ledger.asked.get(email) ?? signupOf({ email });
  ledger.asked.set(email, signup);
  if ((await statusOfPost(`${url}/api/signups`, signup)) !== 201) return false;
  ledger.created.add(email);
  ledger.promises += 1;
  return true;
}

/** People who sign up and people who visit, until they are told to leave or no server answers them. */
export function startCrowd({ url, ledger, onPromise = () => {}, visitors = 6 }: CrowdOptions): Crowd {
  let leaving = false;

  async function signer(): Promise<void> {
    while (!leaving) {
      if (await signUp(url(), `${crypto.randomUUID()}@example.org`, ledger)) onPromise();
    }
  }

  async function visitor(): Promise<void> {
    while (!leaving) {
      const start = sessionOf();
      if ((await statusOfPost(`${url()}/api/sessions`, start)) !== 204) continue;
      const visit: Visit = { start, said: null, acknowledged: null };
      ledger.visits.set(start.id, visit);
      ledger.promises += 1;
      onPromise();
      for (let page = 1; page <= 3 && !leaving; page += 1) await flush(visit, page);
    }
  }

  async function flush(visit: Visit, page: number): Promise<void> {
    const { start } = visit;
    const session_end = start.session_start + page * 1_000;
    const totals = { ...INITIAL_TOTALS, session_end, page_count: page, total_duration: page * 5, click_count: page };
    visit.said = totals;
    if ((await statusOfPost(`${url()}/api/sessions/${start.id}`, updateOf(start, totals))) !== 204) return;
    visit.acknowledged = totals;
    ledger.promises += 1;
    onPromise();
  }

  const gone = Promise.all(Array.from({ length: visitors }, () => [signer(), visitor()]).flat());
  return {
    gone: gone.then(() => {}),
    leave() {
      leaving = true;
    },
  };
}
