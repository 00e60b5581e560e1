import { StorageError } from 'early-access-kit/core';
import { isOverviewLink, MAX_OVERVIEW_LINKS, type StoredKey } from '../../app/access/api-keys.ts';
import { hashToken, newApiKey } from '../../app/access/secrets.ts';
import { Failure } from '../routing/failure.ts';
import { madeOverviewLink, newOverviewLink, overviewLinkList } from '../routing/schemas/team.ts';
import { type AdminRouter, route } from './admin-route.ts';

/** Routes for overview links, for people who do not sign in. Each has a key that can only read the figures. */
export function overviewLinkRoutes(router: AdminRouter): void {
  const { apiKeys } = router.store;
  const { sessions } = router.service;
  const list = async () => (await apiKeys.list()).filter(isOverviewLink);
  route(router, {
    method: 'get',
    path: '/overview-links',
    summary: 'The overview links.',
    response: overviewLinkList,
    respond: async () => ({ links: (await list()).map(toLink) }),
  });
  route(router, {
    method: 'post',
    path: '/overview-links',
    summary: 'Creates an overview link: `/admin#overview=` and the key, which only this response contains.',
    body: newOverviewLink,
    response: madeOverviewLink,
    async respond({ caller, body: { name } }) {
      if ((await list()).length >= MAX_OVERVIEW_LINKS) {
        throw new StorageError('invalid', `there are already ${MAX_OVERVIEW_LINKS} links; revoke one first`);
      }
      const secret = newApiKey();
      const link = toLink(await apiKeys.add({ hash: hashToken(secret), name, scopes: ['overview'] }));
      await sessions.record(caller, 'add-overview-link', 1, { api_key: name });
      return { link, secret };
    },
  });
  route(router, {
    method: 'post',
    path: '/overview-links/:id/revoke',
    summary: 'Revokes an overview link at once.',
    refusals: { 404: 'This link no longer exists.' },
    async respond({ id, caller }) {
      const revoked = (await list()).some((link) => link.id === id) ? await apiKeys.revoke(id) : null;
      if (revoked === null) throw new Failure(404, 'invalid', 'this link no longer exists');
      await sessions.record(caller, 'revoke-overview-link', 1, { api_key: revoked.name });
    },
  });
}

function toLink({ id, name, created_at, last_used_at }: StoredKey) {
  return { id, name, created_at, last_used_at };
}
