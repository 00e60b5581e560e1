import { randomUUID } from 'node:crypto';
import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import type {
  AuditEntry,
  BulkResponse,
  Campaign,
  CampaignsResponse,
  ListResponse,
  PeopleResponse,
} from 'early-access-server/admin-api';
import { expect, it, vi } from 'vitest';
import { type Admin, signIn } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';
import { signAllUp } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';

const ROUNDS = rounds({ short: 1, long: 20 });
const PEOPLE = 100;
const CLICKS = 20;
const SETTINGS = {
  ADMIN_EMAIL: 'first@example.com,second@example.com',
  INVITE_URL: 'https://product.example/join',
  INVITE_KEY: 'k'.repeat(32),
};

/** A server with two signed-in admins. */
async function withTwoAdmins() {
  const deployment = await startDeployment(undefined, SETTINGS);
  const server = await deployment.serve();
  const first = await signIn(deployment, server, 'first@example.com');
  const second = await signIn(deployment, server, 'second@example.com');
  /** Signs people up and waits for their welcome emails. */
  const addPeople = async () => {
    const emails = await signAllUp(server.origin, PEOPLE);
    await queueEmpty(deployment);
    return emails;
  };
  return { deployment, server, first, second, addPeople };
}

/** Waits until no message waits or is being sent. */
const queueEmpty = ({ file }: Deployment) =>
  vi.waitFor(() => {
    const open = "SELECT count(*) AS open FROM mails WHERE state IN ('queued', 'sending')";
    expect(readFile(file, (raw) => raw.prepare(open).get())).toEqual({ open: 0 });
  });

/** How many emails each has got. */
const countMails = ({ mailbox }: Deployment, emails: readonly string[]) =>
  emails.map((email) => mailbox.mailsTo(email).length);

/** Two admins do the same at the same time, `CLICKS` times together. Returns the sorted statuses. */
async function clickTogether(admins: readonly Admin[], act: (admin: Admin) => Promise<Response>): Promise<number[]> {
  const acts = Array.from({ length: CLICKS / admins.length }, () => admins.map(act)).flat();
  return (await Promise.all(acts)).map(({ status }) => status).sort();
}

/** One of all clicks was accepted. The others got 409, as the dashboard expects. */
const expectOneAccepted = (accepted: number) => [accepted, ...Array.from({ length: CLICKS - 1 }, () => 409)];

async function createCampaign(admin: Admin): Promise<Campaign> {
  const audience = { states: ['subscribed', 'invited'], source: null };
  const draft = { subject: 'We are live', body: '# Come in', audience, revision: randomUUID(), replaces: [] };
  return (await admin.post('/campaigns', draft)).json();
}

/** How often the audit log says that an email changed to this state. */
async function countChanges(admin: Admin, to: Campaign['state']): Promise<number> {
  const { entries }: { entries: AuditEntry[] } = await (await admin.get('/audit?limit=100')).json();
  return entries.filter(({ action }) => action === `campaign-${to}`).length;
}

it(`${CLICKS} clicks of two admins start one wave, which invites each of ${PEOPLE} people once`, async () => {
  const { deployment, first, second, addPeople } = await withTwoAdmins();
  let after: string | null = null;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const emails = await addPeople();
    expect(await clickTogether([first, second], (admin) => admin.post('/invites', { count: PEOPLE, after }))).toEqual(
      expectOneAccepted(200),
    );
    const { counts, waves }: ListResponse = await (await first.get('/list')).json();
    expect(counts).toMatchObject({ subscribed: 0, invited: round * PEOPLE });
    expect(waves).toHaveLength(round);
    after = waves[0]?.id ?? null;
    await queueEmpty(deployment);
    expect(countMails(deployment, emails)).toEqual(emails.map(() => 2));
  }
  report('admins: people invited twice', `0 of ${ROUNDS * PEOPLE}, ${ROUNDS} waves`);
});

it('two admins start, pause and cancel one campaign at the same time: nobody gets it twice, or after it was cancelled', async () => {
  const chance = createChance('campaigns of two admins');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { deployment, server, first, second, addPeople } = await withTwoAdmins();
    const emails = await addPeople();
    const started = await createCampaign(first);
    const start = (admin: Admin) => admin.post(`/campaigns/${started.id}/state`, { to: 'sending' });
    // A click that repeats another succeeds, and starts nothing.
    expect(await clickTogether([first, second], start)).toEqual(Array.from({ length: CLICKS }, () => 204));
    expect(await countChanges(first, 'sending')).toBe(1);
    await queueEmpty(deployment);
    await vi.waitFor(() => expect(countMails(deployment, emails)).toEqual(emails.map(() => 2)));

    const { id } = await createCampaign(second);
    const changes = Array.from({ length: CLICKS }, (_, index) =>
      index === CLICKS / 2 ? 'cancelled' : chance.below(3) > 0 ? 'sending' : 'paused',
    );
    const responses = changes.map((to, index) => [first, second][index % 2]?.post(`/campaigns/${id}/state`, { to }));
    const statuses = (await Promise.all(responses)).map((response) => response?.status);
    expect(statuses.filter((status) => status !== 204 && status !== 409)).toEqual([]);
    expect(await countChanges(first, 'cancelled')).toBe(1);
    // One more for the first campaign.
    expect([1, 2]).toContain((await countChanges(first, 'sending')) - (await countChanges(first, 'paused')));
    await queueEmpty(deployment);
    const { campaigns }: CampaignsResponse = await (await first.get('/campaigns')).json();
    const cancelled = campaigns.find((campaign) => campaign.id === id);
    const mails = countMails(deployment, emails);
    expect(mails.filter((count) => count > 3)).toEqual([]);
    expect(cancelled).toMatchObject({ state: 'cancelled', sent: mails.filter((count) => count === 3).length });
    await server.stop();
  }
  report('admins: people who got a campaign twice', `0 of ${ROUNDS * PEOPLE}, ${ROUNDS * 2} campaigns`);
});

it('one admin erases a person to whom another sends again: nothing of the person is left, and no email is queued', async () => {
  const chance = createChance('erasing and sending again');
  const { deployment, server, first, second, addPeople } = await withTwoAdmins();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const emails = await addPeople();
    const { people }: PeopleResponse = await (await first.get('/people?limit=100')).json();
    expect(people).toHaveLength(PEOPLE);
    const results = await Promise.all(
      people.map(async ({ id }) => {
        const actions = [
          () => first.post('/people/forget', { ids: [id] }),
          () => second.post('/people/resend', { ids: [id] }),
        ];
        if (chance.below(2) === 0) actions.reverse();
        const responses = await Promise.all(actions.map((act) => act()));
        const bodies: BulkResponse[] = await Promise.all(responses.map((response) => response.json()));
        return bodies.map((body) => body.results[0]?.result).sort();
      }),
    );
    expect(
      results.filter(([one, other]) => one !== 'done' || !['done', 'gone', 'being-sent'].includes(String(other))),
    ).toEqual([]);
    await queueEmpty(deployment);
    const left = readFile(deployment.file, (raw) => [
      raw.prepare('SELECT * FROM email_signups').all(),
      raw.prepare('SELECT * FROM mails').all(),
      raw.prepare('PRAGMA foreign_key_check').all(),
    ]);
    expect(left).toEqual([[], [], []]);
    expect(countMails(deployment, emails).filter((count) => count > 2)).toEqual([]);
  }
  expect(server.log).not.toMatch(/"level":"error"/);
  report('admins: people erased by one and sent to by another who are left', `0 of ${ROUNDS * PEOPLE}`);
});
