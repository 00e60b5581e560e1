import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type BulkResponse, type BulkResult, MAX_BULK, type RestoreResponse } from 'early-access-server/admin-api';
import { useState } from 'react';
import { type AdminApi, useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/format.ts';
import { useNotify } from '../ui/toasts.tsx';
import type { PeopleFilter } from './people-state.ts';

type BulkAction = 'forget' | 'resend' | 'unsubscribe' | 'labels';

/**
 * People per request. In a large database, erasing scans for leftovers at each request, so smaller requests show
 * progress.
 */
const AT_ONCE: Readonly<Record<BulkAction, number>> = { forget: 10, resend: 500, unsubscribe: 500, labels: 500 };

const DONE: Readonly<Record<BulkAction, (count: number) => string>> = {
  forget: (count) => `${formatCount(count, 'person', 'people')} erased.`,
  resend: (count) => `${formatCount(count, 'email', 'emails')} queued again.`,
  unsubscribe: (count) => `${formatCount(count, 'person', 'people')} unsubscribed.`,
  labels: (count) => `Labels of ${formatCount(count, 'person', 'people')} changed.`,
};

const REST: Readonly<Record<Exclude<BulkResult, 'done'>, (count: number) => string>> = {
  gone: (count) => `${formatCount(count, 'person was', 'people were')} already erased.`,
  'being-sent': (count) =>
    `${formatCount(count, 'email is', 'emails are')} being sent right now: try again in a minute.`,
  unsubscribed: (count) => `${formatCount(count, 'person has', 'people have')} unsubscribed.`,
  'no-email': (count) => `${formatCount(count, 'person has', 'people have')} no email to send again.`,
  'too-many': (count) => `${formatCount(count, 'person has', 'people have')} too many labels.`,
  'not-traceless': (count) =>
    `${formatCount(count, 'person was', 'people were')} erased, but traces may remain in the database file, because another program is reading it. Close that program and restart the server.`,
};

/** Describes the result of an action for all its people. */
export function describeResult(action: BulkAction, { results }: BulkResponse): string {
  const count = (wanted: BulkResult) => results.filter(({ result }) => result === wanted).length;
  const done = count('done');
  const rest = (['gone', 'being-sent', 'unsubscribed', 'no-email', 'too-many', 'not-traceless'] as const).flatMap(
    (result) => (count(result) > 0 ? REST[result](count(result)) : []),
  );
  return [...(done > 0 || rest.length === 0 ? [DONE[action](done)] : []), ...rest].join(' ');
}

/**
 * Erases, unsubscribes or labels people or resends their email, reports the result, and refreshes the lists. `more` is
 * sent in addition to the ids. `finished` is the number of people processed so far.
 */
export function useBulk(action: BulkAction, onDone: () => void, more: Readonly<Record<string, unknown>> = {}) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const [finished, setFinished] = useState(0);
  const mutation = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const results: BulkResponse['results'][number][] = [];
      try {
        for (let start = 0; start < ids.length; start += AT_ONCE[action]) {
          const some = { ...more, ids: ids.slice(start, start + AT_ONCE[action]) };
          results.push(...(await api.post<BulkResponse>(`/people/${action}`, some)).results);
          setFinished(results.length);
        }
      } finally {
        if (results.length > 0) notify.done(describeResult(action, { results }));
      }
    },
    onSuccess: onDone,
    onError: notify.failed,
    onSettled: () => {
      setFinished(0);
      return client.invalidateQueries({ queryKey: ['people'] });
    },
  });
  return { ...mutation, finished };
}

/** Selected people, or everyone who matches a filter. */
export type Bounced = { readonly ids: readonly string[] } | { readonly filter: PeopleFilter };

/** Returns bounced people to their previous state, in requests of the maximum size. */
export function useRestore(onDone: () => void) {
  return useAction(restoreBounced, {
    refreshes: [['people']],
    done: (restored) => `${formatCount(restored, 'person', 'people')} restored.`,
    onDone,
  });
}

async function restoreBounced(api: AdminApi, who: Bounced): Promise<number> {
  if ('ids' in who) return (await api.post<RestoreResponse>('/people/restore', who)).restored;
  for (let total = 0; ; ) {
    const { restored } = await api.post<RestoreResponse>('/people/restore', { count: MAX_BULK, filter: who.filter });
    total += restored;
    if (restored < MAX_BULK) return total;
  }
}
