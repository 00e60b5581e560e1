import { randomUUID } from 'node:crypto';
import { DAY_MS, INITIAL_TOTALS } from 'early-access-kit/internal';
import { CAMPAIGN_AUDIENCE } from '../../app/campaigns/campaign.ts';
import { EVERYONE } from '../../app/people/people.ts';
import type { Store } from '../../app/ports/store.ts';
import { IN_MEMORY } from '../../stores/sqlite/private-file.ts';
import { type SqliteStore, sqliteStore } from '../../stores/sqlite/sqlite-store.ts';

const DAYS = 60;
const NAMES = ['ada', 'grace', 'linus', 'margaret', 'tim', 'radia', 'edsger', 'barbara'];
const ORIGINS = [
  { referrer: 'https://www.etsy.com/forum', device_type: 'desktop', browser: 'Chrome', os: 'Windows' },
  { referrer: 'https://www.reddit.com/r/startups', device_type: 'mobile', browser: 'Safari', os: 'iOS' },
  { referrer: null, device_type: 'desktop', browser: 'Firefox', os: 'Linux' },
  { referrer: 'https://www.google.com/', device_type: 'desktop', browser: 'Safari', os: 'macOS' },
  { referrer: null, device_type: 'mobile', browser: 'Chrome', os: 'Android', utm_source: 'news', utm_medium: 'email' },
] as const;

/** Opens an in-memory store with two months of invented sessions, people and emails. The addresses belong to nobody. */
export async function openSamples(): Promise<SqliteStore> {
  let now = Date.now() - DAYS * DAY_MS;
  const clock = () => Math.min(now, Date.now());
  const store = sqliteStore({ file: IN_MEMORY, clock, mailsPerHour: 2_000 });
  for (let visit = 0; now < Date.now(); visit += 1) {
    const session = await addVisit(store, visit, now);
    if (visit % 7 === 1) await addPerson(store, visit, session);
    // Traffic grows over time, with good and bad days.
    now += Math.round(DAY_MS / (4 + visit / 40) / (1 + Math.sin(visit) ** 2));
  }
  now = Number.POSITIVE_INFINITY;
  await store.list.invite({ after: null, who: { count: 25, filter: EVERYONE } });
  await addCampaigns(store);
  return store;
}

async function addVisit(store: Store, visit: number, session_start: number) {
  const origin = ORIGINS[(visit * visit) % ORIGINS.length] ?? ORIGINS[0];
  const isEngaged = visit % 3 > 0;
  const session = {
    ...origin,
    session_start,
    landing_path: visit % 4 === 0 ? '/prices' : '/',
    visitor_id: randomUUID(),
    user_agent: 'Mozilla/5.0',
    is_returning_visitor: false,
    total_sessions: 1,
  };
  const id = randomUUID();
  await store.updateSession(id, {
    ...session,
    ...INITIAL_TOTALS,
    ...(isEngaged && { page_count: 2, total_duration: 40 + (visit % 20), max_scroll_depth: 90, click_count: 3 }),
    session_end: session_start + 1,
  });
  return { ...session, id };
}

async function addPerson(store: Store, visit: number, session: Awaited<ReturnType<typeof addVisit>>): Promise<void> {
  const email = `${NAMES[visit % NAMES.length]}.${visit}@example.org`;
  const { id: session_id, referrer } = session;
  await store.createSignup({ email, session_id, referrer, source: 'landing_page', submission_id: randomUUID() });
  await deliverAll(store, visit % 25 === 0);
  if (visit % 11 === 0) await store.list.changePerson(email, 'unsubscribe', 'person');
}

async function addCampaigns(store: Store): Promise<void> {
  const audience = { states: CAMPAIGN_AUDIENCE, source: null, conditions: {} };
  const news = await store.campaigns.create({ subject: 'News', body: 'Hello,\n\nwe open **next week**.', audience });
  await store.campaigns.change(news.id, 'sending');
  while ((await store.campaigns.feed()) > 0) await deliverAll(store);
  await store.campaigns.create({ subject: 'We are open', body: 'Hello,\n\nthe doors are open.', audience });
}

/** Records all due emails as sent or failed. No email leaves the process. */
async function deliverAll({ mails }: Store, fails = false): Promise<void> {
  const due = mails.due();
  for (;;) {
    const message = await due.claimNext();
    if (typeof message === 'string') return;
    await mails.recordOutcome(
      message,
      fails ? { state: 'failed', reason: '552 5.2.2 the mailbox is full' } : { state: 'sent' },
    );
  }
}
