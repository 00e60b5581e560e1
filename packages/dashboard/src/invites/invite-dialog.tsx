import { useQuery } from '@tanstack/react-query';
import {
  type CountResponse,
  INVITE_ORDERS,
  type InviteOrder,
  type InviteWave,
  type ListResponse,
} from 'early-access-server/admin-api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatNumber } from '../format/format.ts';
import type { PeopleFilter } from '../people/people-state.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { NotSetUp } from './not-set-up.tsx';

/** The server's limit for one wave. */
const MAX_WAVE = 10_000;
const FIRST_COUNT = 50;

const ORDER_LABELS: Readonly<Record<InviteOrder, string>> = {
  date: 'Earliest signups first',
  place: 'By place (one day earlier per referral)',
  referrals: 'Most referrals first',
};

/** People with these ids, or the first ones who match the list's filter. */
export type Invitees = { readonly ids: readonly string[] } | { readonly filter: PeopleFilter };

interface InviteDialogProps {
  readonly who: Invitees;
  readonly zone: string;
  readonly onClose: () => void;
  readonly onInvited?: () => void;
}

/** What the admin's decision is based on: the number of waiting people, and the newest wave. */
interface Basis {
  readonly waiting: CountResponse;
  readonly newest: string | null;
  readonly canInvite: boolean;
  /** People have share links, so they can also be invited by referrals. */
  readonly shares: boolean;
}

/**
 * Starts a wave of invitations. Fails if another admin has started a wave since the dialog opened, because that would
 * invite twice as many people as intended.
 */
export function InviteDialog({ who, zone, onClose, onInvited }: InviteDialogProps) {
  const api = useApi();
  const filter = 'filter' in who ? who.filter : {};
  const basis = useQuery({
    queryKey: ['list', 'invite', filter],
    queryFn: async ({ signal }): Promise<Basis> => {
      const { waves, can_invite, shares } = await api.get<ListResponse>('/list', undefined, signal);
      const waiting = await api.post<CountResponse>('/people/count', { ...filter, state: 'subscribed' }, { signal });
      return { waiting, newest: waves[0]?.id ?? null, canInvite: can_invite, shares };
    },
    // Read each time the dialog opens, and fixed while it is open, because the admin's decision is based on it.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Dialog title="Invite people" open onClose={onClose}>
      <QueryState query={basis} bones={[6]} zone={zone}>
        {(data) => (
          <InviteForm
            who={who}
            basis={data}
            onClose={onClose}
            onInvited={() => {
              onInvited?.();
              onClose();
            }}
          />
        )}
      </QueryState>
    </Dialog>
  );
}

interface InviteFormProps extends Pick<InviteDialogProps, 'who' | 'onClose'> {
  readonly basis: Basis;
  readonly onInvited: () => void;
}

function InviteForm({ who, basis, onClose, onInvited }: InviteFormProps) {
  const { newest, canInvite, shares } = basis;
  const { count: waiting, is_partial: isPartial } = basis.waiting;
  const most = isPartial ? MAX_WAVE : Math.min(waiting, MAX_WAVE);
  const [typed, setTyped] = useState(String(Math.min(FIRST_COUNT, most)));
  // The order by which people see their place on their status page.
  const [order, setOrder] = useState<InviteOrder>(shares ? 'place' : 'date');
  const field = useRef<HTMLInputElement>(null);
  // The field did not exist when the dialog opened.
  useEffect(() => field.current?.select(), []);
  const count = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : 0;
  const isByIds = 'ids' in who;
  const isPossible = canInvite && (isByIds || (count >= 1 && count <= most));
  const invite = useAction(
    (api) =>
      isByIds
        ? api.post<InviteWave>('/invites', { after: newest, ids: who.ids })
        : api.post<InviteWave>('/invites', { after: newest, count, order, filter: who.filter }),
    {
      // Refreshed even after a rejection, to show the other admin's wave.
      refreshes: [['list'], ['people']],
      done: ({ people }) => `${formatCount(people, 'person', 'people')} invited. Their emails are queued.`,
      onDone: onInvited,
      showsError: true,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPossible && !invite.isPending) invite.mutate();
  };
  return (
    <form className={ui.stack} onSubmit={submit} noValidate>
      {!canInvite && <NotSetUp />}
      {isByIds ? (
        <p className={ui.text}>
          Of the {formatCount(who.ids.length, 'selected person', 'selected people')}, only those who are waiting are
          invited.
        </p>
      ) : (
        <>
          <p className={ui.text}>
            {most === 0
              ? 'Nobody is waiting for an invitation.'
              : `${isPartial ? 'At least ' : ''}${formatCount(waiting, 'person is waiting', 'people are waiting')}.`}{' '}
            {most > 0 && !shares && 'The earliest signups are invited first.'}
          </p>
          {shares && (
            <Choice
              label="Order"
              value={order}
              options={INVITE_ORDERS.map((value) => [value, ORDER_LABELS[value]])}
              onChoose={setOrder}
            />
          )}
          <TextField
            ref={field}
            label="Number of people"
            inputMode="numeric"
            value={typed}
            aria-invalid={most > 0 && !isPossible && canInvite}
            aria-describedby="invite-hint"
            onChange={setTyped}
          >
            <span id="invite-hint" className={ui.hint}>
              From 1 to {formatNumber(most)}.
            </span>
          </TextField>
        </>
      )}
      <p className={`${ui.text} ${ui.muted}`}>
        Each person gets an email with a personal link, which works once, for 14 days.
      </p>
      <div role="alert">{invite.error && <p className={`${ui.text} ${ui.problem}`}>{invite.error.message}</p>}</div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={invite.isPending} disabled={!isPossible}>
          {invite.isPending ? 'Inviting…' : isByIds || count === 0 ? 'Invite' : `Invite ${formatNumber(count)}`}
        </Button>
      </DialogActions>
    </form>
  );
}
