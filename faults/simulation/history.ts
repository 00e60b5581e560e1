import { type Chance, seededChance } from '@early-access-kit/testkit/fault-runs';
import { HOUR_MS } from 'early-access-kit/internal';
import { ACTION_NAMES, type ActionName, createActions, WEIGHTS } from './actions.ts';
import { createModel } from './model.ts';
import { createNetwork } from './network.ts';
import { seedBuiltins } from './seeded-builtins.ts';
import { reader, type Stored } from './stored.ts';
import { createWorld, type Setup, type World } from './world.ts';

const STEPS = 40;

/** One step of a history. It only depends on its own seed, so that a history can be run without other steps. */
export interface Step {
  /** Its place in the whole history, from 1. */
  readonly number: number;
  readonly action: ActionName;
  readonly seed: number;
}

/** A random history that is fully determined by its seed. */
export interface History {
  readonly seed: number;
  readonly setup: Setup;
  readonly steps: readonly Step[];
}

/** The result of a history. */
export interface Outcome {
  /** The broken promise; null if none was broken. */
  readonly broken: string | null;
  /** Number of steps before the end. */
  readonly after: number;
  /** The same whenever the same history is run. */
  readonly trace: string;
}

const ACTIONS = ACTION_NAMES.flatMap((name) => Array.from({ length: WEIGHTS[name] }, () => name));

export function createHistory(seed: number): History {
  const chance = seededChance(seed);
  const setup = {
    confirm: chance.below(2) === 0,
    isServer: chance.below(3) === 0,
    hasRetention: chance.below(4) === 0,
  };
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    number: index + 1,
    action: ACTIONS[chance.below(ACTIONS.length)] ?? 'wait',
    seed: chance.below(2 ** 31),
  }));
  return { seed, setup, steps };
}

/**
 * Runs a history of the application: visitors, people on the list and admins, two processes, and a disk, a network, a
 * mail server and receivers that fail. After each step, a model checks the application's promises. The same history
 * always has the same outcome.
 */
export async function simulate({ seed, setup, steps }: History): Promise<Outcome> {
  seedBuiltins(seed);
  const world = createWorld(seededChance(seed), setup);
  const model = createModel();
  const read = reader(world);
  const network = createNetwork(world, () => (world.chance.below(4) === 0 ? 1 : 0));
  const actions = createActions(world, model, network, read);
  const traces: string[] = [];
  let after = 0;

  /** Runs one step. After a crash it does not wait for work that may never finish. */
  async function step(chance: Chance, act: () => Promise<unknown>): Promise<void> {
    world.chance = chance;
    world.time.now += 1;
    const { crashes } = world;
    const work = act();
    work.catch(() => {});
    await world.time.settle(work, () => world.crashes !== crashes);
    const stored = read();
    model.check(stored, world);
    traces.push(formatTrace(world, stored));
  }

  try {
    await step(seededChance(seed), () => addReceiver(world));
    for (const { number, action, seed } of steps) {
      after = number;
      await step(seededChance(seed), () => actions[action]());
    }
    after += 1;
    await calmDown(
      world,
      network,
      (act) => step(seededChance(seed), act),
      () => model.isWaiting(read()),
    );
    model.checkAtTheEnd(read(), world);
    return { broken: null, after, trace: traces.join(' ') };
  } catch (error) {
    const broken = error instanceof Error ? error.message : String(error);
    return { broken, after, trace: traces.join(' ') };
  } finally {
    world.close();
  }
}

function addReceiver(world: World): Promise<unknown> {
  return world.process(0).store.webhooks.add({
    url: 'https://hooks.example/list',
    secret: 'whsec_c2VjcmV0',
    format: 'json',
    events: ['signup.created', 'person.erased'],
  });
}

/** Nothing fails for a week, or until everything queued is delivered: three emails per mailbox and day. */
async function calmDown(
  world: World,
  network: { isReliable: boolean },
  step: (act: () => Promise<unknown>) => Promise<void>,
  isWaiting: () => boolean,
): Promise<void> {
  world.services.state = 'calm';
  world.disk.fault = null;
  network.isReliable = true;
  for (let day = 0; day < 7; day += 1) {
    await step(() => world.time.pass(25 * HOUR_MS));
    await step(() => world.process(0).app.runJobs());
    if (!isWaiting()) return;
  }
}

function formatTrace({ time, services, crashes }: World, { people, sessions, messages }: Stored): string {
  const sizes = [
    services.mails.length,
    services.posts.length,
    crashes,
    people.length,
    sessions.length,
    messages.length,
  ];
  return `${time.now % 1e9}:${sizes.join(',')}:${services.mails.at(-1)?.what.messageId.slice(1, 5) ?? ''}`;
}
