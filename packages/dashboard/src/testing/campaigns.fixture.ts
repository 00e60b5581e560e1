import { HOUR_MS } from 'early-access-kit/internal';
import type {
  AudienceSizeResponse,
  Campaign,
  CampaignCheckResponse,
  CampaignState,
  CampaignsResponse,
  SeriesResponse,
  UnknownMailResponse,
  UnsentMail,
} from 'early-access-server/admin-api';
import { describeTiming, mayChangeCampaign, readSegment, SERIES_STATES } from 'early-access-server/admin-pages';
import { NOW } from './dashboard.fixture.ts';

export const DRAFT: Campaign = {
  id: '1',
  revision: 'stored',
  subject: 'Acme is open: here is your access',
  body: '# You are in\n\nThank you for waiting. [Start here](https://acme.example/start).\n',
  audience: { states: ['subscribed', 'invited'], source: 'landing_page' },
  state: 'draft',
  created_at: NOW - HOUR_MS,
  started_at: null,
  ended_at: null,
  scheduled_at: null,
  time_zone: null,
  follows: null,
  after_days: null,
  stopped_at: null,
  resumed_at: null,
  series: null,
  people: 0,
  sent: 0,
  failed: 0,
  unknown: 0,
  unsubscribed: 0,
  complained: 0,
  joined: 0,
};

const STARTED: readonly Campaign[] = [
  { ...DRAFT, id: '5', subject: '', body: '' },
  {
    ...DRAFT,
    id: '6',
    subject: 'The doors open on Monday',
    state: 'scheduled',
    scheduled_at: NOW + 100 * HOUR_MS,
    time_zone: 'Europe/Berlin',
  },
  {
    ...DRAFT,
    id: '7',
    subject: 'Did our invitation reach you?',
    audience: { states: ['invited'], source: null },
    state: 'scheduled',
    follows: '2',
    after_days: 14,
  },
  {
    ...DRAFT,
    id: '4',
    subject: 'We launch on Tuesday',
    audience: { states: ['subscribed', 'invited', 'joined'], source: null },
    state: 'sending',
    started_at: NOW - HOUR_MS,
    people: 2_940,
    sent: 1_204,
    failed: 12,
    unknown: 1,
    unsubscribed: 3,
    joined: 41,
  },
  {
    ...DRAFT,
    id: '3',
    subject: 'A look behind the scenes',
    state: 'paused',
    started_at: NOW - HOUR_MS,
    people: 640,
    sent: 210,
  },
  {
    ...DRAFT,
    id: '2',
    subject: 'Hello from Acme',
    state: 'done',
    scheduled_at: NOW - 203 * HOUR_MS,
    time_zone: 'Europe/Berlin',
    started_at: NOW - 200 * HOUR_MS,
    ended_at: NOW - 197 * HOUR_MS,
    people: 380,
    sent: 377,
    failed: 3,
    unsubscribed: 6,
    complained: 1,
    joined: 112,
  },
  {
    ...DRAFT,
    id: '0',
    subject: 'Sent too early',
    state: 'cancelled',
    started_at: NOW - 300 * HOUR_MS,
    people: 350,
    sent: 4,
  },
];

/** The emails after signing up: two are on, one follows the second, and one is a draft. */
const SERIES: readonly Campaign[] = [
  {
    ...DRAFT,
    id: '21',
    subject: 'Three things to try first',
    state: 'sending',
    started_at: NOW - 900 * HOUR_MS,
    series: { after: 'subscribed', previous: null, days: 3 },
    people: 412,
    sent: 408,
    failed: 4,
    unsubscribed: 2,
    joined: 31,
  },
  {
    ...DRAFT,
    id: '22',
    subject: 'How others use Acme',
    state: 'sending',
    started_at: NOW - 900 * HOUR_MS,
    series: { after: null, previous: '21', days: 7 },
    people: 260,
    sent: 260,
    joined: 18,
  },
  { ...DRAFT, id: '23', subject: 'Welcome in', series: { after: 'joined', previous: null, days: 1 } },
];

const UNKNOWN: UnsentMail = {
  id: 'unknown-message',
  email: 'grace.hopper@example.org',
  kind: 'campaign',
  state: 'unknown',
  attempts: 1,
  nextAttemptAt: NOW,
  reason: 'the sending process ended before the outcome was known',
};

/** The part of the fake server for campaigns, which make no progress. */
export function fakeCampaigns({
  isEmpty = false,
  canSend = true,
  draft = {},
  campaignProblem = null,
  campaignWarnings = [],
  isMailPaused = false,
  isQuotaSpent = false,
}: {
  readonly isEmpty?: boolean;
  readonly canSend?: boolean;
  readonly draft?: Partial<Campaign>;
  readonly campaignProblem?: string | null;
  readonly campaignWarnings?: readonly string[];
  readonly isMailPaused?: boolean;
  readonly isQuotaSpent?: boolean;
}) {
  let unknown: readonly UnsentMail[] = [UNKNOWN];
  let campaigns: readonly Campaign[] = isEmpty ? [] : [{ ...DRAFT, ...draft }, ...STARTED, ...SERIES.toReversed()];

  function respondToSeries(name: string, body: Record<string, unknown>): Response | null {
    const steps = campaigns.filter(({ series, state }) => series !== null && state !== 'cancelled');
    const paused = steps.filter(({ state }) => state === 'paused');
    if (name === 'GET /admin/campaigns/series') {
      const response: SeriesResponse = {
        steps: steps.map(({ id, state, series }) => ({
          id,
          timing: series === null ? '' : describeTiming(series, campaigns),
          late: state === 'paused' ? 12 : 0,
          coming: state === 'draft' ? 0 : 30,
        })),
        start: [
          'From now on, people get “Welcome in” 1 day after they join.',
          'No one gets emails for earlier signups, invitations or joins.',
          ...(paused.length > 0
            ? ['12 people missed “Three things to try first” while it was paused. They get it now.']
            : []),
        ],
      };
      return Response.json(response);
    }
    if (name === 'POST /admin/campaigns/series/state') {
      const state = body.to === 'paused' ? 'paused' : 'sending';
      for (const step of steps) {
        if (state === 'sending' || step.state === 'sending') change(step.id, { state, started_at: NOW });
      }
      return new Response(null, { status: 204 });
    }
    if (name !== 'POST /admin/campaigns/series') return null;
    const after = SERIES_STATES.find((state) => state === body.after) ?? null;
    const series = { after, previous: after === null ? String(body.previous) : null, days: Number(body.days) };
    const step: Campaign = { ...DRAFT, id: '24', subject: '', body: '', revision: '', series };
    campaigns = [step, ...campaigns];
    return Response.json(step);
  }

  function change(id: string, fields: Partial<Campaign>): Response {
    campaigns = campaigns.map((campaign) => (campaign.id === id ? { ...campaign, ...fields } : campaign));
    return new Response(null, { status: 204 });
  }

  /** Only supports times in UTC. */
  function schedule({ id, follows }: Campaign, { at, zone }: Record<string, unknown>): Response {
    const time = follows === null ? Date.parse(`${at}Z`) : null;
    if (time !== null && time <= NOW) {
      const message = `${String(at).replace('T', ' ')} has passed in ${zone}; the earliest time is 2026-11-22 10:43`;
      return Response.json({ error: { code: 'invalid', message } }, { status: 400 });
    }
    change(id, { state: 'scheduled', scheduled_at: time, time_zone: time === null ? null : String(zone) });
    return Response.json({ scheduled_at: time, note: null });
  }

  return {
    respond(name: string, body: Record<string, unknown>): Response | null {
      const seriesResponse = respondToSeries(name, body);
      if (seriesResponse) return seriesResponse;
      const [, id = '', action = ''] = /^POST \/admin\/campaigns\/(\d+)(?:\/([\w-]+))?$/.exec(name) ?? [];
      const campaign = campaigns.find((candidate) => candidate.id === id);
      if (name === 'GET /admin/campaigns') {
        const quota = {
          per_hour: 160,
          mails_per_hour: 200,
          spent_until: isQuotaSpent ? NOW - (NOW % HOUR_MS) + HOUR_MS : null,
          now: NOW,
        };
        const response: CampaignsResponse = {
          campaigns,
          can_send: canSend,
          quota,
          paused_until: isMailPaused ? NOW + HOUR_MS : null,
        };
        return Response.json(response);
      }
      if (name === 'GET /admin/mail/unknown') return Response.json({ messages: unknown } satisfies UnknownMailResponse);
      const [, decided] = /^POST \/admin\/mail\/unknown\/(.+)$/.exec(name) ?? [];
      if (decided !== undefined) {
        unknown = unknown.filter((message) => message.id !== decided);
        return new Response(null, { status: 204 });
      }
      if (name === 'POST /admin/campaigns/audience') {
        const states = Array.isArray(body.states) ? body.states.length : 0;
        const { language, invited_days_ago } = readSegment(body.conditions);
        const people = language === 'tr' ? 0 : states * (body.source === null ? 980 : invited_days_ago ? 40 : 120);
        return Response.json({ people, everyone: 2_940, is_partial: false } satisfies AudienceSizeResponse);
      }
      if (name === 'POST /admin/campaigns') {
        const created = { ...DRAFT, ...body, id: '9', ...readRevision(body) };
        campaigns = [created, ...campaigns];
        return Response.json(created);
      }
      const [, checked] = /^GET \/admin\/campaigns\/(\d+)\/check$/.exec(name) ?? [];
      const subject = campaigns.find((candidate) => candidate.id === checked)?.subject;
      if (subject !== undefined) {
        const fill = (value: string) => subject.replaceAll('{{fields.company}}', value);
        const examples = [
          { for: 'person' as const, email: 'grace.hopper@example.org', subject: fill('Studio Nord') },
          { for: 'empty' as const, email: null, subject: fill('') },
        ];
        const response: CampaignCheckResponse = campaignProblem
          ? { problem: campaignProblem, examples: [], warnings: [] }
          : { problem: null, examples, warnings: [...campaignWarnings] };
        return Response.json(response);
      }
      if (!campaign) return null;
      if (action === 'test')
        return Response.json({ outcome: 'sent', explanation: 'The mail server accepted the message.' });
      if (action === 'remove') {
        campaigns = campaigns.filter((candidate) => candidate !== campaign);
        return new Response(null, { status: 204 });
      }
      if (action === 'timing') {
        const { previous } = campaign.series ?? {};
        return change(id, {
          series: { after: null, previous: previous ?? null, ...campaign.series, days: Number(body.days) },
        });
      }
      if (action === 'duplicate') {
        const { subject, body, audience } = campaign;
        const created = { ...DRAFT, subject, body, audience, id: '10', revision: 'copy' };
        campaigns = [created, ...campaigns];
        return Response.json(created);
      }
      if (action === 'schedule') return schedule(campaign, body);
      if (action === 'follow-up') {
        const draft = { ...DRAFT, ...FOLLOW_UP, follows: id, after_days: Number(body.after_days) };
        campaigns = [draft, ...campaigns.filter((candidate) => candidate.id !== draft.id)];
        return Response.json(draft);
      }
      if (action === '') return change(id, { ...body, ...readRevision(body) });
      const to = STATES.find((state) => state === body.to);
      if (to === undefined || !mayChangeCampaign(campaign.state, to)) return Response.json({}, { status: 409 });
      return change(id, {
        state: to,
        stopped_at: null,
        ...(campaign.state === 'draft' && to === 'sending' && { people: 1_960, started_at: NOW }),
      });
    },
  };
}

function readRevision({ revision }: Record<string, unknown>) {
  return { revision: String(revision) };
}

const FOLLOW_UP = {
  id: '8',
  subject: '',
  body: '',
  audience: { states: ['invited'], source: null },
} as const satisfies Partial<Campaign>;

const STATES: readonly CampaignState[] = ['draft', 'sending', 'paused', 'cancelled'];

export function fakePreview(path: string): string {
  const look = /as=(\w+)/.exec(path)?.[1] ?? 'light';
  const colors = look === 'dark' ? 'background:#111;color:#eee' : 'background:#fff;color:#111';
  const html = `<!doctype html><html lang="en"><title>Preview</title><body style="font-family:sans-serif;${colors}"><main><h1>You are in</h1><p>Thank you for waiting.</p></main>`;
  return `data:text/html,${encodeURIComponent(html)}`;
}
