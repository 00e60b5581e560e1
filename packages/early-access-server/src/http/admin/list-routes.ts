import { StorageError } from 'early-access-kit/core';
import type { ListResponse, WithdrawResponse } from '../../app/admin/admin-api.ts';
import type { InviteWave } from '../../app/list/list-store.ts';
import type { PersonState } from '../../app/list/states.ts';
import { Failure } from '../failure.ts';
import { inviteWave, listOverview, newWave, withdrawn as withdrawnCount } from '../schemas/list.ts';
import { peopleFilter } from '../schemas/people.ts';
import type { AdminRouter } from './admin-context.ts';
import { filterOf } from './people-input.ts';

const SHOWN_WAVES = 100;
const MAX_ID_LENGTH = 100;

/** The states of the list, and invite waves. */
export function listRoutes({ read, post, json, service, store, context }: AdminRouter): void {
  const { list } = store;

  const overview = {
    summary: 'How many people are in each state, and the invite waves.',
    responses: { 200: listOverview },
  };
  read('numbers', '/list', overview, async () => {
    const [counts, waves] = await Promise.all([list.counts(), list.waves(SHOWN_WAVES)]);
    const count = (state: PersonState) => counts.get(state) ?? 0;
    const response: ListResponse = {
      counts: {
        pending: count('pending'),
        subscribed: count('subscribed'),
        invited: count('invited'),
        joined: count('joined'),
        unsubscribed: count('unsubscribed'),
        bounced: count('bounced'),
      },
      waves,
      can_invite: service.canInvite,
    };
    return json(response);
  });

  const invite = {
    summary: 'Invites the next people, oldest first, or certain ones.',
    details: 'With `count`, the query says who may be invited. Only people who are `subscribed` are.',
    query: peopleFilter,
    body: newWave,
    responses: { 200: inviteWave },
    refusals: { 409: 'Another wave is the newest, or there is no one to invite.' },
  };
  post('/invites', invite, async ({ session, query, body: { after, ...who } }) => {
    if (!service.canInvite) {
      throw new StorageError('invalid', 'nobody can be invited: set INVITE_URL, INVITE_KEY and a mail server');
    }
    const filter = filterOf(query, service.clock());
    const wave = await list.invite({ after, who: 'ids' in who ? { ids: who.ids } : { count: who.count, filter } });
    if (wave === 'outdated') {
      throw new Failure(409, 'invalid', 'Another wave was started meanwhile, so nobody was invited. Look at it first.');
    }
    if (wave === 'nobody') throw new Failure(409, 'invalid', 'Nobody of them waits for an invitation.');
    context.wakeMail();
    await service.sessions.record(session, 'invite', wave.people);
    const response: InviteWave = wave;
    return json(response);
  });

  const withdraw = {
    summary: 'Takes back the invitations of a wave that were not sent.',
    responses: { 200: withdrawnCount },
  };
  post('/invites/:id/withdraw', withdraw, async ({ c, session }) => {
    const id = c.req.param('id') ?? '';
    const withdrawn = id.length <= MAX_ID_LENGTH ? await list.withdraw(id) : 0;
    await service.sessions.record(session, 'withdraw', withdrawn);
    const response: WithdrawResponse = { withdrawn };
    return json(response);
  });
}
