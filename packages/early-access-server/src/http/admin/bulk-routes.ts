import { StorageError } from 'early-access-kit/core';
import { toAuditAuthor } from '../../app/admin/admin-sessions.ts';
import { type BulkAction, type BulkJob, changeBulk, startBulk, toBulkJob } from '../../app/people/bulk.ts';
import type { LabelChange } from '../../app/people/labels.ts';
import type { AdminSession, AuditAuthor } from '../../app/ports/admin-store.ts';
import { parseWholeNumber } from '../../app/text/whole-number.ts';
import { Failure } from '../routing/failure.ts';
import { bulkBody, bulkLabelsBody, bulkList, type PeopleFilterInput, startedBulk } from '../routing/schemas/people.ts';
import { type AdminRouter, route } from './admin-route.ts';
import { nameFilter, toFilter } from './people-input.ts';

const SHOWN_JOBS = 20;
const ENDED = 'It has ended, or does not exist.';
const REFUSALS = { 409: 'The number of matching people has changed, or another action is running.' };
const DETAILS =
  'The people are collected first, so later signups are not included, and each is processed at most once. It continues, even after ' +
  'a restart; see `/bulk`. An API key may not use `search`.';

/** Routes for actions on everyone who matches a filter. */
export function bulkRoutes(router: AdminRouter): void {
  const { service, store } = router;
  route(router, {
    method: 'get',
    path: '/bulk',
    scope: ['people', 'people:write', 'invites'],
    summary: 'The actions on everyone who matched a filter, with their progress.',
    response: bulkList,
    respond: async () => ({ jobs: (await store.bulk.list(SHOWN_JOBS)).map(toBulkJob) }),
  });
  startRoutes(router);
  for (const { path, to, entry, summary } of CHANGES) {
    route(router, {
      method: 'post',
      path: `/bulk/:id/${path}`,
      summary,
      response: startedBulk,
      refusals: { 409: ENDED },
      async respond({ id, caller }) {
        const isChanged = await store.bulk.update((newest) =>
          changeBulk(newest, parseWholeNumber(id) ?? 0, to, service.clock()),
        );
        const [newest] = await store.bulk.list(1);
        if (!isChanged || newest === undefined) throw new Failure(409, 'invalid', ENDED);
        await service.sessions.record(caller, entry, newest.done);
        if (to === 'running') await service.workOnBulk();
        return toBulkJob(newest);
      },
    });
  }
}

const CHANGES = [
  { path: 'pause', to: 'paused', entry: 'bulk-paused', summary: 'Pauses it after the current people.' },
  { path: 'resume', to: 'running', entry: 'bulk-resumed', summary: 'Resumes it.' },
  { path: 'cancel', to: 'cancelled', entry: 'bulk-cancelled', summary: 'Cancels it. What was done stays.' },
] as const;

function startRoutes(router: AdminRouter): void {
  const { service } = router;
  route(router, {
    method: 'post',
    path: '/bulk/invite',
    scope: 'invites',
    summary: 'Invites all waiting people who match, in one wave.',
    details: DETAILS,
    body: bulkBody,
    response: startedBulk,
    refusals: REFUSALS,
    async respond({ caller, body }) {
      if (!service.canInvite) {
        throw new StorageError('invalid', 'invitations are not set up: set INVITE_URL, INVITE_KEY and a mail server');
      }
      return start(router, caller, { action: 'invite', ...body });
    },
  });
  route(router, {
    method: 'post',
    path: '/bulk/unsubscribe',
    scope: 'people:write',
    summary: 'Unsubscribes everyone who matches.',
    details: DETAILS,
    body: bulkBody,
    response: startedBulk,
    refusals: REFUSALS,
    respond: ({ caller, body }) => start(router, caller, { action: 'unsubscribe', ...body }),
  });
  route(router, {
    method: 'post',
    path: '/bulk/label',
    scope: 'people:write',
    summary: 'Adds labels to everyone who matches, and removes labels.',
    details: DETAILS,
    body: bulkLabelsBody,
    response: startedBulk,
    refusals: REFUSALS,
    respond: ({ caller, body: { people, filter, ...labels } }) =>
      start(router, caller, { action: 'label', people, filter, labels }),
  });
  route(router, {
    method: 'post',
    path: '/bulk/forget',
    summary: 'Erases everyone who matches, and everything about them.',
    details: DETAILS,
    body: bulkBody,
    response: startedBulk,
    refusals: REFUSALS,
    respond: ({ caller, body }) => start(router, caller, { action: 'forget', ...body }),
  });
}

interface Asked {
  readonly action: BulkAction;
  /** The number of people that the admin saw. */
  readonly people: number;
  readonly filter: PeopleFilterInput;
  readonly labels?: LabelChange | null;
}

async function start(
  router: AdminRouter,
  caller: AdminSession | AuditAuthor,
  { action, people, filter: given, labels = null }: Asked,
): Promise<BulkJob> {
  const { service, store } = router;
  if (given.search !== undefined && !('id' in caller)) {
    throw new Failure(403, 'forbidden', 'an API key may not choose people by a search');
  }
  const filter = toFilter(given, router);
  const now = await store.people.count(filter);
  if (!now.is_partial && now.count !== people) {
    // API keys without the right to count people must not learn the number.
    const found = 'id' in caller ? now.count : 'another number of';
    throw new Failure(409, 'invalid', `Nothing was done: the list has changed, and ${found} people now match.`);
  }
  const author = toAuditAuthor(caller);
  const started = await store.bulk.update((newest) =>
    startBulk(newest, { action, labels, people, filter, author }, service.clock()),
  );
  if (started === 'busy') {
    throw new Failure(409, 'invalid', 'Another action is running. Wait until it ends, or cancel it.');
  }
  await service.sessions.record(caller, 'bulk-started', people, nameFilter(filter));
  await service.workOnBulk();
  const [newest = started] = await store.bulk.list(1);
  return toBulkJob(newest.number === started.number ? newest : started);
}
