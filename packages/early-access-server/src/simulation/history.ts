import { summarize } from 'early-access-kit/core';
import { EVERYONE } from '../app/admin/people.ts';
import { PERSON_STATES } from '../app/list/states.ts';
import { hashToken } from '../app/tokens.ts';
import { readSessions } from '../fixtures/read-back.ts';
import { oneOf, text } from '../stores/sql/row.ts';
import { exampleSession, exampleSignup, numbers, updateOf } from '../testing/examples.ts';
import { createModel, type Model, type Stored } from './model.ts';
import { createWorld, LEASE_MS, type Process, type Random, type World } from './world.ts';

const EMAILS = Array.from({ length: 6 }, (_, n) => `person${n}@mail${n}.example`);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS = 40;

/** A history broke a promise. The message says which, after which steps, and how to run the history again. */
class SimulationFailure extends Error {}

/**
 * Runs one random history of the application: visitors, admins, two processes, a mail server and receivers that fail, power failures. A
 * model checks after each step what was promised. The same seed gives the same history. Throws a `SimulationFailure`.
 */
export async function simulate(seed: number): Promise<void> {
  const random = numbers(seed);
  const world = createWorld(random, { confirm: random(2) === 0 });
  const model = createModel();
  const done: string[] = [];
  try {
    const { addEndpoint, next } = actionsOf(world, model, random);
    await addEndpoint();
    for (let step = 0; step < STEPS; step += 1) {
      const [name, act] = next();
      done.push(name);
      await act();
      check(world, model);
    }
    done.push('calm');
    await calmDown(world);
    check(world, model);
    model.checkAtTheEnd(read(world), world);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SimulationFailure(`${reason}\n  seed ${seed}, ${done.length} steps: ${done.join(' ')}`, { cause });
  } finally {
    await world.close();
  }
}

function actionsOf(world: World, model: Model, random: Random) {
  const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)];
  const email = () => pick(EMAILS) ?? '';
  function either(): Process {
    const process = pick(world.processes());
    if (process === undefined) throw new Error('no process runs');
    return process;
  }

  /** The token of a link that a person got by email. */
  function token(link: RegExp): string | undefined {
    return pick(world.mails.flatMap(({ what, accepted }) => (accepted && link.exec(what.text)?.[1]) || []));
  }

  async function post(path: string, body: unknown): Promise<Response> {
    const request = new Request(`https://early.example/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return either().app.fetch(request);
  }

  /** Notes the response unless the process ends before it. */
  async function signUp(signup = exampleSignup({ email: email() })): Promise<void> {
    model.requested(signup);
    const life = world.life;
    const { status } = await post('/signups', signup);
    if (world.life !== life) return;
    if (status === 201) model.created(signup);
    else if (status === 200) model.duplicate(signup);
    else throw new Error(`a signup was answered with ${status}`);
  }

  const actions = {
    async signUp() {
      const signup = exampleSignup({ email: email() });
      // Often another request of the same submission, or another submission of the address, is on its way.
      const other = [null, signup, exampleSignup({ email: signup.email })][random(3)];
      await Promise.all([signUp(signup), other && signUp(other)]);
    },
    async visit() {
      const start = exampleSession(world.clock.now - random(10) * MINUTE_MS, { visitor_id: `visitor-${random(5)}` });
      const update = updateOf(start, { page_count: 1 + random(3), total_duration: random(60), click_count: random(9) });
      const calls = [
        () => post('/sessions', start),
        () => post(`/sessions/${start.id}`, update),
        () => post(`/sessions/${start.id}`, { ...update, click_count: update.click_count + 1 }),
      ];
      // In any order and repeated; some never arrive.
      const responses = await Promise.all(Array.from({ length: 1 + random(4) }, () => pick(calls)?.()));
      for (const response of responses) {
        if (response?.status !== 204) throw new Error(`a session was answered with ${response?.status}`);
      }
      model.visited(start.id);
    },
    async jobs() {
      await Promise.all((random(2) === 0 ? [either()] : world.processes()).map(({ app }) => app.runJobs()));
    },
    async confirm() {
      const link = token(/\/confirm#token=([\w-]+)/);
      if (link !== undefined) await post('/confirm', { token: link });
    },
    async unsubscribe() {
      const link = random(3) === 0 ? token(/\/unsubscribe\?token=([\w-]+)/) : undefined;
      if (link !== undefined) await post('/unsubscribe', { token: link });
    },
    async invite() {
      const { list } = either().store;
      const [last] = await list.waves(1);
      const wave = { after: last?.id ?? null, who: { count: 1 + random(2), filter: EVERYONE } };
      await Promise.all(world.processes().map(({ store }) => store.list.invite(wave)));
    },
    async redeem() {
      const link = token(/#invite=([\w-]+)/);
      if (link === undefined) return;
      const calls = world.processes().map(({ store }) => store.list.redeemInvite(hashToken(link)));
      model.redeemed(link, (await Promise.all(calls)).filter(({ result }) => result === 'redeemed').length);
    },
    async forget() {
      if (random(3) > 0) return;
      const address = email();
      const { erased, traceless } = await either().store.erase(address);
      model.erased(address, world, { existed: erased !== null, traceless });
    },
    async resend() {
      if (random(3) > 0) return;
      const address = email();
      if ((await either().store.mails.resend(address)) === 'queued') model.resent(address);
    },
    async wait() {
      world.clock.now += random(4) === 0 ? LEASE_MS + random(24) * HOUR_MS : random(10) * MINUTE_MS;
    },
    async crash() {
      await world.crash(() => {
        for (let count = random(4); count > 0; count -= 1) {
          const unfinished = random(3) === 0 ? actions.jobs() : signUp();
          unfinished.catch(() => {});
        }
      });
    },
    async restart() {
      await world.restart(random(world.processes().length));
    },
  };

  /** As often as they are named. */
  const likely = [
    ...([
      'signUp',
      'signUp',
      'signUp',
      'visit',
      'visit',
      'jobs',
      'jobs',
      'jobs',
      'jobs',
      'confirm',
      'confirm',
    ] as const),
    ...(['unsubscribe', 'invite', 'redeem', 'forget', 'resend', 'wait', 'wait', 'crash', 'restart'] as const),
  ];
  return {
    next(): [string, () => Promise<void>] {
      const name = pick(likely) ?? 'wait';
      return [name, actions[name]];
    },
    addEndpoint: () =>
      either().store.webhooks.add({
        url: 'https://hooks.example/list',
        secret: 'whsec_c2VjcmV0',
        format: 'json',
        events: ['signup.created', 'person.erased'],
      }),
  };
}

/** Everything works for two days: what is queued is delivered. */
async function calmDown(world: World): Promise<void> {
  world.isCalm = true;
  for (let hours = 0; hours < 50; hours += 5) {
    world.clock.now += 5 * HOUR_MS;
    await world.processes()[0]?.app.runJobs();
  }
}

/** Reads the file directly, not through a store. */
function read({ raw }: World): Stored {
  const people = raw.prepare('SELECT email, submission_id, state FROM email_signups').all();
  const messages = raw.prepare(`
    SELECT email, message_key, mails.state FROM mails JOIN email_signups ON email_signups.id = mails.signup_id`);
  return {
    people: people.map((row) => ({
      email: text(row, 'email'),
      submission_id: text(row, 'submission_id'),
      state: oneOf(row, 'state', PERSON_STATES),
    })),
    sessions: readSessions(raw),
    messages: messages.all().map((row) => ({
      email: text(row, 'email'),
      messageKey: text(row, 'message_key'),
      state: text(row, 'state'),
    })),
  };
}

function check(world: World, model: Model): void {
  const stored = read(world);
  model.check(stored, world);
  const summary = JSON.stringify(world.processes()[0]?.store.readSummary());
  const expected = JSON.stringify(summarize(stored.sessions, stored.people.length, world.clock.now));
  if (summary !== expected) throw new Error(`the summary is ${summary}, and that of the rows is ${expected}`);
}
