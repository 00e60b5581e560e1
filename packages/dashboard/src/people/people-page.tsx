import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  type CountResponse,
  type FirstStepsResponse,
  type ListResponse,
  MAX_BULK,
  ON_LIST,
  PERSON_STATES,
  type PeopleResponse,
  type Person,
  type PersonState,
} from 'early-access-server/admin-api';
import { listStates } from 'early-access-server/admin-pages';
import { Ticket, Upload, UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../api/admin-api.ts';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatNumber } from '../format/format.ts';
import { InviteDialog, type Invitees } from '../invites/invite-dialog.tsx';
import { useSources } from '../segments/use-segments.ts';
import { type PageProps, pageHref } from '../shell/pages.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Empty, Notice, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { AddDialog } from './add-dialog.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { CsvExport } from './csv-export.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import { LabelDialog } from './label-dialog.tsx';
import styles from './people.module.css';
import { isFiltered, type PeopleState, peopleFilter, withoutReplaced } from './people-state.ts';
import { PeopleTable, type Selection } from './people-table.tsx';
import { PeopleToolbar } from './people-toolbar.tsx';
import { PersonPanel } from './person-panel.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { usePeopleState } from './use-people-state.ts';

const PAGE_SIZE = 100;

const ActDialog = lazy(() => import('./act-dialog.tsx').then((module) => ({ default: module.ActDialog })));

export function PeoplePage({ zone, session: { fields } }: PageProps) {
  const api = useApi();
  const may = useMay();
  const [state, setState] = usePeopleState();
  const [selected, setSelected] = useState<Selection['rows']>({});
  const [isAdding, setAdding] = useState(false);
  const [isActing, setActing] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const [invitees, setInvitees] = useState<Invitees | null>(null);
  const filter = peopleFilter(state, zone);
  const filterKey = JSON.stringify(filter);

  const list = useInfiniteQuery({
    queryKey: ['people', 'list', filter, state.sort],
    queryFn: ({ pageParam, signal }) => {
      const page = { sort: state.sort, limit: PAGE_SIZE, ...(pageParam !== '' && { after: pageParam }) };
      return api.post<PeopleResponse>('/people/search', { ...filter, ...page }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const count = useRead<CountResponse>(['people', 'count', filter], '/people/count', {
    body: filter,
    placeholderData: keepPreviousData,
  });
  const states = useRead<ListResponse>(['people', 'states'], '/list');
  const sources = useSources();
  const people = useMemo(() => list.data?.pages.flatMap((page) => page.people) ?? [], [list.data]);
  const total = count.data?.count ?? null;
  const exactTotal = count.data?.is_partial ? null : total;
  const isNarrowed = isFiltered(state);
  const summary = isNarrowed ? count.data && matchText(count.data) : states.data && listText(states.data.counts);
  const isNobody = !isNarrowed && list.data !== undefined && people.length === 0;
  const selectedCount = Object.keys(selected).length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is cleared when the filter changes, so that every selected person is in the list
  useEffect(() => setSelected({}), [filterKey]);

  const { fetchNextPage, hasNextPage, isFetching, isError } = list;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetching, isError]);
  const change = (part: Partial<PeopleState>) =>
    setState((current) => ({ ...current, ...withoutReplaced(current, part) }), { replace: true });
  const open = useCallback((person: string) => setState((current) => ({ ...current, person })), [setState]);

  return (
    <>
      <PageHead title="People" subtitle={summary}>
        {may() && !isNobody && (
          <div className={`${ui.row} ${styles.actions}`}>
            <Button onClick={() => setInvitees({ filter })}>
              <Ticket aria-hidden />
              Invite…
            </Button>
            <Button onClick={() => setAdding(true)}>
              <UserPlus aria-hidden />
              Add…
            </Button>
            <Link to={pageHref('import')} className={ui.button}>
              <Upload aria-hidden />
              Import…
            </Link>
            <Button disabled={!total} onClick={() => setActing(true)}>
              <Users aria-hidden />
              {total ? `Act on all ${formatNumber(total)}…` : 'Act on all…'}
            </Button>
            <CsvExport state={state} zone={zone} matching={count.data} />
          </div>
        )}
      </PageHead>
      <div className={ui.stack}>
        {may() && <BulkProgress />}
        <p role="status" className={ui.hidden}>
          {!(isNarrowed && count.isPlaceholderData) && summary}
        </p>
        <p role="status" className={ui.hidden}>
          {selectedCount > 0 && `${formatNumber(selectedCount)} selected`}
        </p>
        {!isNobody && (
          <PeopleToolbar state={state} sources={sources ?? []} fields={fields} zone={zone} onChange={change} />
        )}
        {may() && state.state === 'bounced' && total !== null && total > 0 && (
          <Notice action={<Button onClick={() => setRestoring(true)}>Restore all {formatNumber(total)}…</Button>}>
            They get no emails, because a mail server reported that their mailbox does not exist. If it refused them for
            another reason, restore them.
          </Notice>
        )}
        <QueryState query={list} bones={[30]} zone={zone}>
          {() =>
            people.length === 0 ? (
              isNarrowed ? (
                <NobodyMatches />
              ) : (
                <NobodyYet onAdd={() => setAdding(true)} />
              )
            ) : (
              <div className={`${ui.card} ${styles.list}`} aria-busy={list.isPlaceholderData}>
                <PeopleTable
                  people={people}
                  total={exactTotal}
                  selection={{ rows: selected, set: setSelected }}
                  sort={state.sort}
                  onSort={(sort) => change({ sort })}
                  open={state.person}
                  zone={zone}
                  fields={fields}
                  onOpen={open}
                  onNearEnd={onNearEnd}
                />
                <p className={styles.end}>{hasNextPage ? 'Loading more…' : 'That is everyone.'}</p>
              </div>
            )
          }
        </QueryState>
        <BulkBar
          people={people.filter(({ id }) => selected[id])}
          onInvite={(ids) => setInvitees({ ids })}
          onClear={() => setSelected({})}
        />
      </div>
      {invitees && (
        <InviteDialog who={invitees} zone={zone} onClose={() => setInvitees(null)} onInvited={() => setSelected({})} />
      )}
      {isRestoring && (
        <RestoreDialog
          who={{ filter }}
          count={total ?? 0}
          onClose={() => setRestoring(false)}
          onDone={() => setSelected({})}
        />
      )}
      {isActing && count.data && (
        <Suspense>
          <ActDialog
            filter={filter}
            matching={count.data}
            onClose={() => setActing(false)}
            onStarted={() => setSelected({})}
          />
        </Suspense>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} onAdded={open} />}
      {state.person && (
        <PersonPanel
          key={state.person}
          id={state.person}
          email={people.find(({ id }) => id === state.person)?.email}
          zone={zone}
          fields={fields}
          onClose={() => open('')}
        />
      )}
    </>
  );
}

function matchText({ count, is_partial }: CountResponse): string {
  const people = `${is_partial ? 'At least ' : ''}${formatCount(count, 'person', 'people')}`;
  return `${people} ${count === 1 ? 'matches' : 'match'}`;
}

/** The number of people on the list, and of those in each state. */
function listText(counts: ListResponse['counts']): string {
  const count = (states: readonly PersonState[]) =>
    states.flatMap((state) => (counts[state] > 0 ? `${formatNumber(counts[state])} ${listStates([state])}` : []));
  const total = ON_LIST.reduce((sum, state) => sum + counts[state], 0);
  const others = count(PERSON_STATES.filter((state) => !ON_LIST.some((on) => on === state)));
  const people = `${formatCount(total, 'person', 'people')} on the list`;
  const listed = total > 0 ? `${people}: ${count(ON_LIST).join(', ')}` : people;
  return others.length === 0 ? listed : `${listed}. Also: ${others.join(', ')}.`;
}

function NobodyMatches() {
  return (
    <section className={ui.card}>
      <Empty title="No matches">
        <StateText>Try a shorter part of the address or value, or clear the filters.</StateText>
      </Empty>
    </section>
  );
}

function NobodyYet({ onAdd }: { readonly onAdd: () => void }) {
  const may = useMay();
  const { data } = useRead<FirstStepsResponse>(['first-steps'], '/first-steps', { enabled: may() });
  return (
    <section className={ui.card}>
      <Empty icon={Users} title="Nobody has signed up yet">
        <StateText>New signups appear here, with their source.</StateText>
        {may() && (
          <div className={`${ui.row} ${styles.first}`}>
            {data && (
              <CopyButton look="primary" text={data.site_url} name="The signup link">
                Copy signup link
              </CopyButton>
            )}
            <Link to={pageHref('import')} className={ui.button}>
              <Upload aria-hidden />
              Import…
            </Link>
            <Button onClick={onAdd}>
              <UserPlus aria-hidden />
              Add…
            </Button>
          </div>
        )}
      </Empty>
    </section>
  );
}

interface BulkBarProps {
  readonly people: readonly Person[];
  readonly onInvite: (ids: readonly string[]) => void;
  readonly onClear: () => void;
}

function BulkBar({ people, onInvite, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<'forget' | 'label' | 'resend' | 'restore' | null>(null);
  const close = () => setAsked(null);
  const ids = people.map(({ id }) => id);
  const bounced = people.filter(({ state }) => state === 'bounced').map(({ id }) => id);
  if (ids.length === 0) return null;
  const isTooMany = ids.length > MAX_BULK;
  return (
    <section className={styles.bulk} aria-label="Selected people">
      <p>
        <b>{formatNumber(ids.length)} selected</b>
        {isTooMany && ` – at most ${MAX_BULK} at a time`}
      </p>
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
      <Button disabled={isTooMany} onClick={() => onInvite(ids)}>
        Invite…
      </Button>
      <Button disabled={isTooMany} onClick={() => setAsked('label')}>
        Label…
      </Button>
      <Button disabled={isTooMany} onClick={() => setAsked('resend')}>
        Send email again…
      </Button>
      {bounced.length > 0 && (
        <Button disabled={isTooMany} onClick={() => setAsked('restore')}>
          Restore…
        </Button>
      )}
      <Button look="danger" disabled={isTooMany} onClick={() => setAsked('forget')}>
        Erase…
      </Button>
      {asked === 'resend' && <ResendDialog people={people} onClose={close} onDone={onClear} />}
      {asked === 'label' && <LabelDialog ids={ids} onClose={close} onDone={onClear} />}
      {asked === 'restore' && (
        <RestoreDialog who={{ ids: bounced }} count={bounced.length} onClose={close} onDone={onClear} />
      )}
      {asked === 'forget' && (
        <ForgetDialog ids={ids} phrase={`erase ${ids.length}`} onClose={close} onForgotten={onClear} />
      )}
    </section>
  );
}
