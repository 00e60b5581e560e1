import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { type EmailSignup, HOUR_MS, INITIAL_TOTALS, MINUTE_MS, type SessionStart } from 'early-access-kit/internal';
import { CAMPAIGN_AUDIENCE } from '../../packages/early-access-server/src/app/campaigns/campaign.ts';
import { SERIES_STATES } from '../../packages/early-access-server/src/app/campaigns/step-timing.ts';
import { EVERYONE } from '../../packages/early-access-server/src/app/people/people.ts';
import type { DiskFault } from './disk.ts';
import { LAUNCH, type Model } from './model.ts';
import type { Network, Received } from './network.ts';
import type { Stored } from './stored.ts';
import { INVITE_KEY, PROCESSES, type World } from './world.ts';

const EMAILS = Array.from({ length: 6 }, (_, n) => `person${n}@mail${n}.example`);
const DISK_FAULTS: readonly DiskFault[] = ['full', 'fsync', 'slow', 'torn', 'torn'];
/** Maximum number of times that a page sends a signup without a response. */
const ATTEMPTS = 3;

export const ACTION_NAMES = [
  'signUp',
  'visit',
  'leave',
  'late',
  'jobs',
  'jobsInBackground',
  'confirm',
  'unsubscribe',
  'invite',
  'redeem',
  'launch',
  'changeLaunch',
  'series',
  'changeSeries',
  'forget',
  'resend',
  'wait',
  'failPower',
  'kill',
  'restart',
  'breakDisk',
  'repairDisk',
  'mailServer',
] as const;
export type ActionName = (typeof ACTION_NAMES)[number];

/** The relative probability of each action. */
export const WEIGHTS: Readonly<Record<ActionName, number>> = {
  signUp: 6,
  visit: 3,
  leave: 3,
  late: 2,
  jobs: 5,
  jobsInBackground: 2,
  confirm: 4,
  unsubscribe: 1,
  invite: 3,
  redeem: 3,
  launch: 2,
  changeLaunch: 2,
  series: 2,
  changeSeries: 2,
  forget: 2,
  resend: 1,
  wait: 3,
  failPower: 1,
  kill: 2,
  restart: 1,
  breakDisk: 2,
  repairDisk: 2,
  mailServer: 1,
};

interface Visit {
  readonly start: SessionStart;
  clicks: number;
}

/** The actions of visitors, people on the list, admins and the machine in a history. */
export function createActions(
  world: World,
  model: Model,
  network: Network,
  read: () => Stored,
): Readonly<Record<ActionName, () => Promise<unknown>>> {
  const visits: Visit[] = [];
  let launches = 0;
  const below = (end: number) => world.chance.below(end);
  const pick = <T>(values: readonly T[]): T | undefined => values[below(values.length)];
  const email = () => pick(EMAILS) ?? '';
  const either = () => world.process(below(4) === 0 ? 1 : 0);
  const all = () => Array.from({ length: PROCESSES }, (_, index) => world.process(index));

  /** Returns the token of a link that a person got by email. */
  function token(link: RegExp): string | undefined {
    return pick(world.services.mails.flatMap(({ what, accepted }) => (accepted && link.exec(what.text)?.[1]) || []));
  }

  /** An unexpected status is only allowed if the disk has failed. */
  function checkStatus(received: Received | null, expected: readonly number[], failuresBefore: number): number | null {
    if (received === null || expected.includes(received.status)) return received?.status ?? null;
    if (received.status === 503 && world.disk.failures > failuresBefore) return null;
    throw new Error(`a request got ${received.status}, and nothing was wrong`);
  }

  /** Sends the signup until there is a response, like a page. */
  async function signUp(signup: EmailSignup): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { failures } = world.disk;
      const received = await network.send('/signups', signup, { onArrival: () => model.arrived(signup) });
      const status = checkStatus(received, [200, 201], failures);
      if (status === 201) model.created(signup);
      if (status === 200) model.duplicate(signup);
      if (status !== null) return;
    }
  }

  async function update(visit: Visit, path: string, body: object, totals = INITIAL_TOTALS): Promise<void> {
    const { failures } = world.disk;
    const received = await network.send(path, body);
    if (checkStatus(received, [204], failures) === 204) model.acknowledged(visit.start.id, totals);
  }

  function leave(visit: Visit): Promise<void> {
    const page_count = 1 + below(3);
    const totals = updateOf(visit.start, {
      page_count,
      click_count: visit.clicks,
      total_duration: below(60),
      session_end: world.time.now,
    });
    return update(visit, `/sessions/${visit.start.id}`, totals, totals);
  }

  /** Runs the work of an admin or job in a process. It may fail if the disk does. */
  async function work(task: () => Promise<unknown>): Promise<void> {
    const { failures } = world.disk;
    try {
      await task();
    } catch (error) {
      if (world.disk.failures === failures) throw error;
    }
  }

  return {
    async signUp() {
      const session_id = below(2) === 0 ? (pick(visits)?.start.id ?? null) : null;
      const signup = signupOf({ email: email(), session_id });
      // Often sends a second request of the same submission, or of another submission of the address, at the same time.
      const other = [null, signup, signupOf({ email: signup.email })][below(3)];
      await Promise.all([signUp(signup), other && signUp(other)]);
    },
    async visit() {
      const start = sessionOf({
        session_start: world.time.now - below(10) * MINUTE_MS,
        visitor_id: `visitor-${below(5)}`,
      });
      const visit = { start, clicks: below(9) };
      visits.push(visit);
      await Promise.all([update(visit, '/sessions', start), below(2) === 0 && leave(visit)]);
    },
    async leave() {
      const visit = pick(visits);
      if (visit === undefined) return;
      visit.clicks += below(3);
      await Promise.all([leave(visit), below(3) === 0 && leave(visit)]);
    },
    late: () => network.deliverLate(),
    jobs: () => work(() => Promise.all((below(3) > 0 ? [either()] : all()).map(({ app }) => app.runJobs()))),
    async jobsInBackground() {
      either()
        .app.runJobs()
        .catch(() => {});
    },
    async confirm() {
      const link = token(/\/confirm#token=([\w-]+)/);
      if (link !== undefined) await network.send('/confirm', { token: link });
    },
    async unsubscribe() {
      const link = token(/\/unsubscribe\?token=([\w-]+)/);
      if (link !== undefined) await network.send('/unsubscribe', { token: link });
    },
    invite: () =>
      work(async () => {
        const [last] = await either().store.list.waves(1);
        const wave = { after: last?.id ?? null, who: { count: 1 + below(2), filter: EVERYONE } };
        await Promise.all(all().map(({ store }) => store.list.invite(wave)));
      }),
    async redeem() {
      const link = token(/#invite=([\w-]+)/);
      if (link === undefined) return;
      const headers = { authorization: `Bearer ${INVITE_KEY}` };
      const received = await Promise.all(
        all().map(() => network.send('/invites/redeem', { token: link }, { headers })),
      );
      for (const response of received) {
        if (response?.status === 200 && JSON.stringify(response.body).includes('"redeemed"')) model.redeemed(link);
      }
    },
    launch: () =>
      work(async () => {
        const { campaigns } = either().store;
        launches += 1;
        const subject = `${LAUNCH} ${launches}`;
        const { id } = await campaigns.create({
          subject,
          body: 'We are live.',
          audience: { states: CAMPAIGN_AUDIENCE, source: null },
        });
        await campaigns.change(id, 'sending');
      }),
    changeLaunch: () =>
      work(async () => {
        const { campaigns } = either().store;
        const campaign = pick((await campaigns.list()).filter(({ series }) => series === null));
        const to = pick(['paused', 'sending', 'sending', 'cancelled'] as const);
        if (campaign !== undefined && to !== undefined) await campaigns.change(campaign.id, to);
      }),
    series: () =>
      work(async () => {
        const { campaigns } = either().store;
        launches += 1;
        const previous = pick((await campaigns.list()).filter(({ series }) => series !== null))?.id ?? null;
        const days = 1 + below(2);
        const isAfterEmail = previous !== null && below(3) === 0;
        const step = await campaigns.series.add(
          isAfterEmail
            ? { after: null, previous, days }
            : { after: pick(SERIES_STATES) ?? 'subscribed', previous: null, days },
        );
        if (step === null) return;
        const audience = { states: CAMPAIGN_AUDIENCE, source: null };
        const content = { subject: `${LAUNCH} ${launches}`, body: 'A tip.', audience };
        await campaigns.save(step.id, content, { revision: String(launches) });
        await campaigns.change(step.id, 'sending');
      }),
    changeSeries: () =>
      work(async () => {
        const { campaigns } = either().store;
        const step = pick((await campaigns.list()).filter(({ series }) => series !== null));
        if (!step?.series) return;
        await campaigns.change(step.id, 'paused');
        await campaigns.series.retime(step.id, { ...step.series, days: 1 + below(2) });
        const to = pick(['sending', 'sending', 'paused', 'cancelled'] as const);
        if (to !== undefined) await campaigns.change(step.id, to);
      }),
    async forget() {
      const address = email();
      const erased = model.erasing(address, read());
      const { crashes } = world;
      await work(async () => {
        try {
          const { traceless } = await either().store.erase(address);
          const isStored = read().people.some((person) => person.email === address);
          if (traceless && !isStored && world.crashes === crashes) model.traceless(address, world);
        } finally {
          erased(read(), world.services.mails.length);
        }
      });
    },
    resend: () =>
      work(async () => {
        const address = email();
        model.resending(address);
        await either().store.mails.resend(address);
      }),
    wait: () =>
      world.time.pass(below(3) === 0 ? HOUR_MS + below(24) * HOUR_MS : below(10) * MINUTE_MS + below(MINUTE_MS)),
    async failPower() {
      // The jobs start in the middle of other work.
      if (below(2) === 0) this.jobsInBackground().catch(() => {});
      if (below(2) === 0) this.signUp().catch(() => {});
      await world.time.turns(below(5));
      world.failPower();
    },
    async kill() {
      if (below(2) === 0) this.jobsInBackground().catch(() => {});
      if (below(2) === 0) this.signUp().catch(() => {});
      await world.time.turns(below(5));
      world.kill(below(PROCESSES));
    },
    restart: () => world.stop(below(PROCESSES)),
    async breakDisk() {
      world.disk.fault = pick(DISK_FAULTS) ?? null;
    },
    async repairDisk() {
      world.disk.fault = null;
    },
    async mailServer() {
      world.services.state = below(3) === 0 ? 'down' : 'failing';
    },
  };
}
