import { creditDecision, decided, shareLinks } from '../routing/schemas/share.ts';
import { type AdminRouter, route } from './admin-route.ts';

const SHOWN_LINKS = 100;
const AUDITED = { counted: 'count-credit', rejected: 'reject-credit', held: 'hold-credit' } as const;

/** Routes for share links, and for credit that waits for an admin's decision. */
export function shareRoutes(router: AdminRouter): void {
  const { service, store } = router;
  route(router, {
    method: 'get',
    path: '/links',
    summary: 'The share links with the most signups.',
    response: shareLinks,
    respond: async () => ({ links: await store.share.links(SHOWN_LINKS) }),
  });
  route(router, {
    method: 'post',
    path: '/links/:id/decide',
    summary: "Approves or rejects the held referrals of a person's share link, or undoes the rejection.",
    body: creditDecision,
    response: decided,
    async respond({ id, caller, body: { credit } }) {
      const people = await store.share.decide(id, credit);
      await service.sessions.record(caller, AUDITED[credit], people);
      return { people };
    },
  });
}
