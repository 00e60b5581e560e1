import { randomInt, randomUUID } from 'node:crypto';

/** What a visitor's page sends. An `update` goes to one of the first `known` sessions that `start` has made. */
export type RequestKind = 'signup' | 'start' | 'update';

export interface RequestPlan {
  readonly kind: RequestKind;
  /** Tells the addresses and sessions of one run from those of another. */
  readonly run: number;
  readonly known?: number;
}

interface Posted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Makes requests as the browser's adapter sends them, each from a client of its own behind a proxy. */
export function requestMaker({ kind, run, known = 1 }: RequestPlan): () => Posted {
  let count = 0;
  const began = Date.now();
  const makers: Record<RequestKind, () => { path: string; body: unknown }> = {
    signup: () => ({
      path: '/api/signups',
      body: {
        email: `visitor-${run}-${count}@example.org`,
        session_id: null,
        source: 'hero',
        referrer: 'https://search.example/',
        submission_id: randomUUID(),
      },
    }),
    start: () => ({ path: '/api/sessions', body: { id: sessionId(run, count), ...startFields(began) } }),
    update: () => ({
      path: `/api/sessions/${sessionId(run, randomInt(known))}`,
      body: {
        ...startFields(began),
        session_end: Date.now(),
        page_count: 2,
        total_duration: count % 600,
        max_scroll_depth: count % 100,
        click_count: 3,
      },
    }),
  };
  return () => {
    count += 1;
    const { path, body } = makers[kind]();
    return { path, headers: headersFor(randomInt(2 ** 24)), body: JSON.stringify(body) };
  };
}

function headersFor(client: number): Record<string, string> {
  return {
    'content-type': 'text/plain;charset=UTF-8',
    'x-forwarded-for': `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
  };
}

function sessionId(run: number, count: number): string {
  // The low digits first: ids of real visits come in no order.
  const digits = [...count.toString(16).padStart(8, '0')].reverse().join('');
  return `${digits}-0000-4000-8000-${run.toString(16).padStart(12, '0')}`;
}

function startFields(session_start: number) {
  return {
    visitor_id: randomInt(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
    session_start,
    referrer: 'https://search.example/',
    user_agent: USER_AGENT,
    device_type: 'mobile',
    browser: 'Safari',
    os: 'iOS',
    is_returning_visitor: false,
    total_sessions: 1,
  };
}
