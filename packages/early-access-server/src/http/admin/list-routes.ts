import { StorageError } from 'early-access-kit/core';
import type { PersonState } from '../../app/lifecycle/states.ts';
import { Failure } from '../routing/failure.ts';
import { inviteWave, type ListResponse, listOverview, newWave, withdrawn } from '../routing/schemas/list.ts';
import { type AdminRouter, route } from './admin-route.ts';
import { toFilter } from './people-input.ts';

const SHOWN_WAVES = 100;
const MAX_ID_LENGTH = 100;

export function listRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'get',
    path: '/list',
    scope: ['analytics', 'invites'],
    summary: 'How many people are in each state, and the invite waves.',
    response: listOverview,
    respond: () => readList(router),
  });
  route(router, {
    method: 'post',
    path: '/invites',
    scope: 'invites',
    summary: 'Invites the next people, in an order, or certain ones.',
    details:
      'With `count`, the filter says who may be invited. Only people who are `subscribed` are. An API key may not use `search`.',
    body: newWave,
    response: inviteWave,
    refusals: { 409: 'Another wave is the newest, or there is no one to invite.' },
    async respond({ caller, body: { after, ids, count, order, filter } }) {
      if (!service.canInvite) {
        throw new StorageError('invalid', 'invitations are not set up: set INVITE_URL, INVITE_KEY and a mail server');
      }
      if (filter?.search !== undefined && !('id' in caller)) {
        throw new Failure(403, 'forbidden', 'an API key may not choose people by a part of their address');
      }
      const chosen = ids === undefined ? { count, order, filter: toFilter(filter, router) } : { ids };
      const [newest] = after === undefined ? await store.list.waves(1) : [];
      const wave = await store.list.invite({ after: after ?? newest?.id ?? null, who: chosen });
      if (wave === 'outdated') {
        throw new Failure(
          409,
          'invalid',
          'Nobody was invited, because another wave was started since you opened this page. Check it first.',
        );
      }
      if (wave === 'nobody') throw new Failure(409, 'invalid', 'None of them is waiting for an invitation.');
      context.wakeMail();
      await service.sessions.record(caller, 'invite', wave.people);
      return wave;
    },
  });
  route(router, {
    method: 'post',
    path: '/invites/:id/withdraw',
    summary: 'Withdraws the unsent invitations of a wave.',
    response: withdrawn,
    async respond({ id, caller }) {
      const withdrawn = id.length <= MAX_ID_LENGTH ? await store.list.withdraw(id) : 0;
      await service.sessions.record(caller, 'withdraw', withdrawn);
      return { withdrawn };
    },
  });
}

async function readList({ store: { list }, service }: AdminRouter): Promise<ListResponse> {
  const [counts, waves] = await Promise.all([list.counts(), list.waves(SHOWN_WAVES)]);
  const count = (state: PersonState) => counts.get(state) ?? 0;
  return {
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
    shares: service.shares,
  };
}
