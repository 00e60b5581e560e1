import { StorageError } from 'early-access-kit/core';
import type { ListResponse, WithdrawResponse } from '../../app/admin/admin-api.ts';
import { fieldOf } from '../../app/field-of.ts';
import type { InviteWave, NewWave } from '../../app/list/list-store.ts';
import type { PersonState } from '../../app/list/states.ts';
import { Failure } from '../failure.ts';
import type { AppContext } from '../route-context.ts';
import type { AdminRouter } from './admin-context.ts';
import { readFilter, readIds } from './people-input.ts';

/** People of one wave, so that it stays one short transaction. */
const MAX_WAVE = 10_000;
const SHOWN_WAVES = 100;
const MAX_ID_LENGTH = 100;

/** The states of the list, and invite waves. */
export function listRoutes({ get, post, json, service, store, context }: AdminRouter): void {
  const { list } = store;

  get('/list', async () => {
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

  post('/invites', async (c, session, body) => {
    if (!service.canInvite) {
      throw new StorageError('invalid', 'nobody can be invited: set INVITE_URL, INVITE_KEY and a mail server');
    }
    const wave = await list.invite(readWave(c, body, service.clock()));
    if (wave === 'outdated') {
      throw new Failure(409, 'invalid', 'Another wave was started meanwhile, so nobody was invited. Look at it first.');
    }
    if (wave === 'nobody') throw new Failure(409, 'invalid', 'Nobody of them waits for an invitation.');
    context.wakeMail();
    await service.sessions.record(session, 'invite', wave.people);
    const response: InviteWave = wave;
    return json(response);
  });

  post('/invites/:id/withdraw', async (c, session) => {
    const id = c.req.param('id') ?? '';
    const withdrawn = id.length <= MAX_ID_LENGTH ? await list.withdraw(id) : 0;
    await service.sessions.record(session, 'withdraw', withdrawn);
    const response: WithdrawResponse = { withdrawn };
    return json(response);
  });
}

/** `count` people by the filter in the query, or exactly `ids`. */
function readWave(c: AppContext, body: unknown, now: number): NewWave {
  const [after, count] = [fieldOf(body, 'after'), fieldOf(body, 'count')];
  if (after !== null && (typeof after !== 'string' || after.length > MAX_ID_LENGTH)) {
    throw new StorageError('invalid', 'after must be the id of the newest wave, or null');
  }
  if (fieldOf(body, 'ids') !== undefined) return { after, who: { ids: readIds(body) } };
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_WAVE) {
    throw new StorageError('invalid', `count must be a whole number from 1 to ${MAX_WAVE}`);
  }
  return { after, who: { count, filter: readFilter(c, now) } };
}
