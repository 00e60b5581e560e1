import { MAX_SEGMENTS } from '../../app/people/segment.ts';
import { Failure } from '../routing/failure.ts';
import { newSegment, savedSegment, segmentList, segmentName } from '../routing/schemas/segments.ts';
import { type AdminRouter, route } from './admin-route.ts';
import { checkSegment } from './people-input.ts';

const GONE = 'This segment no longer exists.';
const TAKEN = 'Another segment has this name.';

export function segmentRoutes(router: AdminRouter): void {
  const { service, store } = router;
  const { segments } = store;
  route(router, {
    method: 'get',
    path: '/segments',
    needs: ['people', 'campaigns:draft'],
    summary: 'The saved segments.',
    response: segmentList,
    respond: async () => ({ segments: await segments.list() }),
  });
  route(router, {
    method: 'post',
    path: '/segments',
    needs: 'campaigns:draft',
    summary: 'Saves conditions under a name.',
    body: newSegment,
    response: savedSegment,
    refusals: { 409: TAKEN },
    async respond({ caller, body: { name, conditions } }) {
      checkSegment(router, conditions);
      const added = await segments.add(name, conditions);
      if (added === 'taken') throw new Failure(409, 'invalid', TAKEN);
      if (added === 'full')
        throw new Failure(400, 'invalid', `There are already ${MAX_SEGMENTS} segments; delete one first.`);
      await service.sessions.record(caller, 'add-segment', 1);
      return added;
    },
  });
  route(router, {
    method: 'post',
    path: '/segments/:id',
    needs: 'campaigns:draft',
    summary: 'Renames a segment.',
    body: segmentName,
    refusals: { 404: GONE, 409: TAKEN },
    async respond({ id, caller, body: { name } }) {
      const result = await segments.rename(id, name);
      if (result === 'gone') throw new Failure(404, 'invalid', GONE);
      if (result === 'taken') throw new Failure(409, 'invalid', TAKEN);
      await service.sessions.record(caller, 'rename-segment', 1);
    },
  });
  route(router, {
    method: 'post',
    path: '/segments/:id/remove',
    needs: 'campaigns:draft',
    summary: 'Deletes a segment. Campaigns keep their copy of its conditions.',
    refusals: { 404: GONE },
    async respond({ id, caller }) {
      if (!(await segments.remove(id))) throw new Failure(404, 'invalid', GONE);
      await service.sessions.record(caller, 'remove-segment', 1);
    },
  });
}
