import type { BulkJob, Person } from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const JOB: BulkJob = {
  id: '1',
  action: 'label',
  labels: { add: ['VIP'], remove: [] },
  state: 'running',
  started_at: NOW,
  ended_at: null,
  is_collecting: false,
  people: 4_213,
  done: 1_180,
  unchanged: 20,
  left: 0,
  traces: 0,
};

/** Fake actions on everyone who matches. `first` overrides properties of an action that already exists. */
export function fakeBulk(
  first: Partial<BulkJob> | undefined,
  people: (filter: Readonly<Record<string, unknown>>) => readonly Person[],
) {
  let job = first && { ...JOB, ...first };
  return {
    /** Returns null for other requests. */
    respond(name: string, body: Record<string, unknown>): Response | null {
      if (name === 'GET /admin/bulk') return Response.json({ jobs: job ? [job] : [] });
      const [, id, change] = /^POST \/admin\/bulk\/(\w+)\/(pause|resume|cancel)$/.exec(name) ?? [];
      if (job && id === job.id) {
        const state = change === 'pause' ? 'paused' : change === 'resume' ? 'running' : 'cancelled';
        job = { ...job, state, ended_at: state === 'cancelled' ? Date.now() : null };
        return Response.json(job);
      }
      const action = /^POST \/admin\/bulk\/(invite|unsubscribe|label|forget)$/.exec(name)?.[1];
      if (action === undefined) return null;
      const { length } = people(Object.fromEntries(Object.entries(body.filter ?? {})));
      if (length !== body.people) return new Response(null, { status: 409 });
      const known = (['invite', 'unsubscribe', 'label', 'forget'] as const).find((each) => each === action) ?? 'label';
      job = { ...JOB, action: known, people: length, done: length, unchanged: 0, state: 'done', ended_at: Date.now() };
      return Response.json(job);
    },
  };
}
