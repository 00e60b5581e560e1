import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import {
  type ListStatusResponse,
  MAX_SEARCH_LENGTH,
  type PeopleResponse,
  type SessionResponse,
} from 'early-access-server/admin-api';
import { DoorClosed, type LucideIcon, Plus, Search, Ticket, UserPlus, UserRound, X } from 'lucide-react';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../api/admin-api.ts';
import { useRead } from '../api/use-read.ts';
import { formatCount } from '../format/format.ts';
import { PAGE_NAMES } from '../shell/page-names.ts';
import { maySeePage, PAGES, pageHref } from '../shell/pages.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import dialog from '../ui/dialog.module.css';
import ui from '../ui/ui.module.css';
import { type Command, matchCommands } from './match-commands.ts';
import styles from './palette.module.css';

const AddDialog = lazy(async () => ({ default: (await import('../people/add-dialog.tsx')).AddDialog }));
const InviteDialog = lazy(async () => ({ default: (await import('../invites/invite-dialog.tsx')).InviteDialog }));
const SignUpsDialog = lazy(async () => ({ default: (await import('../settings/sign-ups-dialog.tsx')).SignUpsDialog }));

/** Long enough that a word typed without a pause causes one search. */
const TYPING_MS = 200;
const MIN_SEARCH = 2;
const MAX_PEOPLE = 6;

const LABEL = 'Search pages, people and actions';

type Asked = 'add' | 'invite' | 'sign-ups';

interface Item extends Command {
  readonly icon: LucideIcon;
  readonly run: () => void;
}

const personHref = (id: string) => `${pageHref('people')}&person=${encodeURIComponent(id)}`;

interface CommandPaletteProps {
  readonly session: SessionResponse;
  readonly zone: string;
  readonly onClose: () => void;
}

/** Finds pages, actions and people, as far as the admin's role allows. */
export function CommandPalette({ session: { role }, zone, onClose }: CommandPaletteProps) {
  const may = useMay();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useId();
  const isLeaving = useRef(false);
  const go = (search: string) => {
    isLeaving.current = true;
    navigate(search);
    onClose();
  };
  const people = useFoundPeople(text, maySeePage(role, 'people')).map(
    ({ id, email }): Item => ({ id, label: email, icon: UserRound, run: () => go(personHref(id)) }),
  );
  const pages = PAGES.filter((page) => maySeePage(role, page)).map((page): Item => {
    const [label, icon] = PAGE_NAMES[page];
    return { id: page, label, icon, run: () => go(pageHref(page)) };
  });
  const [importPeople, importIcon] = PAGE_NAMES.import;
  const actions: readonly (Item | false)[] = [
    may() && { id: 'add', label: 'Add a person…', icon: UserPlus, run: () => setAsked('add') },
    may() && { id: 'import', label: importPeople, icon: importIcon, run: () => go(pageHref('import')) },
    may() && { id: 'invite', label: 'Invite people…', icon: Ticket, run: () => setAsked('invite') },
    maySeePage(role, 'campaigns') && {
      id: 'campaign',
      label: 'Create campaign',
      other: 'new write email',
      icon: Plus,
      run: () => go(`${pageHref('campaigns')}&campaign=new`),
    },
    may() && {
      id: 'sign-ups',
      label: 'Close or open the list…',
      other: 'pause change signups',
      icon: DoorClosed,
      run: () => setAsked('sign-ups'),
    },
  ];
  const groups = [
    { name: 'Pages', items: matchCommands(pages, text) },
    {
      name: 'Actions',
      items: matchCommands(
        actions.filter((action) => action !== false),
        text,
      ),
    },
    // The server has already searched, including the fields of the form, so they are not filtered again.
    { name: 'People', items: people },
  ].filter(({ items }) => items.length > 0);
  const found = groups.flatMap(({ items }) => items);

  if (asked !== null)
    return (
      <Suspense>
        {asked === 'add' && <AddDialog onClose={onClose} onAdded={(id) => navigate(personHref(id))} />}
        {asked === 'invite' && <InviteDialog who={{ filter: {} }} zone={zone} onClose={onClose} />}
        {asked === 'sign-ups' && <ChangeSignUps zone={zone} onClose={onClose} />}
      </Suspense>
    );
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method is composing, it uses these keys.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== 0) setActive((active + step + found.length) % Math.max(1, found.length));
    else found[active]?.run();
  };
  return (
    <Popup onClose={onClose} returnsFocus={() => !isLeaving.current}>
      <div className={styles.head}>
        <Search aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-label={LABEL}
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${active}` : undefined}
          placeholder={maySeePage(role, 'people') ? 'A page, an action, an address' : 'A page or an action'}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Dialog.Close
          render={
            <Button look="quiet" icon aria-label="Close">
              <X aria-hidden />
            </Button>
          }
        />
      </div>
      <p role="status" className={ui.hidden}>
        {formatCount(found.length, 'result', 'results')}
      </p>
      {found.length === 0 && <p className={styles.empty}>No results</p>}
      <div role="listbox" id={list} aria-label="Results" tabIndex={-1} className={styles.list}>
        {groups.map(({ name, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own look
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden className={styles.label}>
              {name}
            </p>
            {items.map((item) => (
              <Option
                key={item.id}
                id={`${list}-${found.indexOf(item)}`}
                item={item}
                isActive={found[active] === item}
                onPoint={() => setActive(found.indexOf(item))}
              />
            ))}
          </div>
        ))}
      </div>
    </Popup>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: Item;
  readonly isActive: boolean;
  readonly onPoint: () => void;
}

function Option({ id, item: { label, icon: Icon, run }, isActive, onPoint }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and its keys
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={styles.item}
      onPointerMove={onPoint}
      onClick={run}
    >
      <Icon aria-hidden />
      <span>{label}</span>
    </div>
  );
}

interface PopupProps {
  readonly onClose: () => void;
  /** Returns whether closing restores the focus. It does not if a page opens, which moves the focus itself. */
  readonly returnsFocus: () => boolean;
  readonly children: ReactNode;
}

function Popup({ onClose, returnsFocus, children }: PopupProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup className={`${ui.overlay} ${styles.popup}`} aria-label={LABEL} finalFocus={returnsFocus}>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ChangeSignUps({ zone, onClose }: Pick<CommandPaletteProps, 'zone' | 'onClose'>) {
  const { data } = useRead<ListStatusResponse>(['list-status'], '/list-status', { staleTime: 0 });
  return data && <SignUpsDialog status={data} zone={zone} onClose={onClose} />;
}

/**
 * Searches once typing pauses. Results of an earlier text are not shown, because Enter would open one of them. Nothing
 * is cached after the palette is closed.
 */
function useFoundPeople(text: string, isAllowed: boolean): PeopleResponse['people'] {
  const api = useApi();
  const typed = text.trim().toLowerCase();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ['palette', search],
    queryFn: ({ signal }) => api.post<PeopleResponse>('/people/search', { search, limit: MAX_PEOPLE }, { signal }),
    enabled: isAllowed && search.length >= MIN_SEARCH,
    staleTime: 0,
    gcTime: 0,
  });
  return search === typed ? (data?.people ?? []) : [];
}
