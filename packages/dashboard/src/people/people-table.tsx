import {
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { PeopleSort, Person, ShownField } from 'early-access-server/admin-api';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatDateTime, formatPeriod } from '../format/format.ts';
import { useMay } from '../shell/role.ts';
import { MailBadge } from '../ui/mail-badge.tsx';
import { STATE_LABELS, StateBadge } from '../ui/state-badge.tsx';
import styles from './people.module.css';
import { toggleSort } from './people-state.ts';
import { fieldsLine } from './person-fields.ts';

const ROW_HEIGHT = 45;
/** Rows to load before the admin scrolls to them. */
const AHEAD = 30;

const SORTED: Readonly<Record<PeopleSort, readonly [column: 'email' | 'date', direction: 'ascending' | 'descending']>> =
  {
    newest: ['date', 'descending'],
    oldest: ['date', 'ascending'],
    email: ['email', 'ascending'],
  };

const features = tableFeatures({ rowSelectionFeature });
const helper = createColumnHelper<typeof features, Person>();

export interface Selection {
  readonly rows: RowSelectionState;
  readonly set: (next: RowSelectionState) => void;
}

interface PeopleTableProps {
  readonly people: readonly Person[];
  /** The number of people who match; null if unknown. */
  readonly total: number | null;
  readonly selection: Selection;
  readonly sort: PeopleSort;
  readonly onSort: (sort: PeopleSort) => void;
  readonly open: string;
  readonly zone: string;
  readonly fields: readonly ShownField[];
  readonly onOpen: (id: string) => void;
  /** Called when the end of the loaded rows is near. */
  readonly onNearEnd: () => void;
}

/** Only visible rows are in the document. The page itself scrolls. */
export function PeopleTable(props: PeopleTableProps) {
  const { people, total, selection, sort, onSort, open, zone, fields, onOpen, onNearEnd } = props;
  const [sorted, direction] = SORTED[sort];
  const may = useMay();
  // The checkboxes are only for actions that require an admin.
  const isShown = (column: string) => column !== 'pick' || may();
  const columns = useMemo(() => createColumns(zone, fields, onOpen), [zone, fields, onOpen]);
  const data = useMemo(() => [...people], [people]);
  const table = useTable({
    features,
    columns,
    data,
    getRowId: ({ id }) => id,
    state: { rowSelection: selection.rows },
    onRowSelectionChange: (update) => selection.set(typeof update === 'function' ? update(selection.rows) : update),
  });
  const { rows } = table.getRowModel();

  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  // Runs after every render, because any of them may move the table.
  useLayoutEffect(() => setOffset((body.current?.getBoundingClientRect().top ?? 0) + scrollY));
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    scrollMargin: offset,
  });
  const items = virtual.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const isNearEnd = rows.length > 0 && (last?.index ?? 0) >= rows.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again once more rows have come
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, rows.length, onNearEnd]);

  return (
    <table className={styles.table} aria-rowcount={(total ?? -1) + (total === null ? 0 : 1)} aria-label="People">
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers
              .filter(({ column }) => isShown(column.id))
              .map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  className={styles[header.column.id]}
                  aria-sort={header.column.id === sorted ? direction : undefined}
                >
                  {header.column.id === 'email' || header.column.id === 'date' ? (
                    <SortButton column={header.column.id} sort={sort} onSort={onSort}>
                      <table.FlexRender header={header} />
                    </SortButton>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              ))}
          </tr>
        ))}
      </thead>
      <tbody ref={body}>
        <Gap height={(first?.start ?? offset) - offset} />
        {items.map(({ index }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <tr
              key={row.id}
              ref={virtual.measureElement}
              data-index={index}
              data-open={row.id === open || undefined}
              aria-rowindex={index + 2}
              aria-selected={row.getIsSelected()}
            >
              {row
                .getAllCells()
                .filter(({ column }) => isShown(column.id))
                .map((cell) => (
                  <td
                    key={cell.id}
                    className={styles[cell.column.id]}
                    // Screen readers announce it with each cell of the row.
                    role={cell.column.id === 'email' ? 'rowheader' : undefined}
                  >
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
            </tr>
          );
        })}
        <Gap height={virtual.getTotalSize() - ((last?.end ?? offset) - offset)} />
      </tbody>
    </table>
  );
}

interface SortButtonProps extends Pick<PeopleTableProps, 'sort' | 'onSort'> {
  readonly column: 'email' | 'date';
  readonly children: ReactNode;
}

function SortButton({ column, sort, onSort, children }: SortButtonProps) {
  const [sorted, direction] = SORTED[sort];
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <button type="button" className={styles.sort} onClick={() => onSort(toggleSort(sort, column))}>
      {children}
      {column === sorted && <Arrow aria-hidden />}
    </button>
  );
}

/** Replaces rows that are not rendered. It spans two columns, the number shown on a phone. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td className={styles.gap} style={{ height }} colSpan={2} />
    </tr>
  );
}

function createColumns(zone: string, fields: readonly ShownField[], onOpen: (id: string) => void) {
  return helper.columns([
    helper.display({
      id: 'pick',
      header: ({ table }) => (
        <label>
          <input
            type="checkbox"
            aria-label="Select all loaded people"
            checked={table.getIsAllRowsSelected()}
            ref={(box) => {
              if (box) box.indeterminate = table.getIsSomeRowsSelected();
            }}
            onChange={table.getToggleAllRowsSelectedHandler()}
          />
        </label>
      ),
      cell: ({ row }) => (
        <label>
          <input
            type="checkbox"
            aria-label={`Select ${row.original.email}`}
            checked={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
          />
        </label>
      ),
    }),
    helper.accessor('email', {
      header: 'Address',
      cell: ({ row: { original } }) => {
        const entered = [...(original.labels ?? []), fieldsLine(original, fields)].filter(Boolean).join(' · ');
        return (
          <>
            <button type="button" className={styles.address} title={original.email} onClick={() => onOpen(original.id)}>
              {original.email}
            </button>
            {entered && <bdi className={styles.fields}>{entered}</bdi>}
            <span className={styles.under}>
              {original.state !== 'subscribed' && (
                <span className={styles.underState}>{STATE_LABELS[original.state]}, </span>
              )}
              <span>{formatPeriod(original.created_at, original.created_at, zone)}</span>
            </span>
          </>
        );
      },
    }),
    helper.display({
      id: 'date',
      header: 'Signed up',
      cell: ({ row }) => formatDateTime(row.original.created_at, zone),
    }),
    helper.accessor('source', { header: 'Source' }),
    helper.display({
      id: 'referrer',
      header: 'Referrer',
      cell: ({ row: { original } }) => <Referrer {...original} />,
    }),
    helper.display({
      id: 'state',
      header: 'State',
      cell: ({ row }) => <StateBadge state={row.original.state} />,
    }),
    helper.display({
      id: 'mail',
      header: 'Mail',
      cell: ({ row }) => <MailBadge state={row.original.mail?.state ?? 'none'} />,
    }),
  ]);
}

/** The host of the referrer, and the link's `utm_source`. */
function Referrer({ referrer, utm_source }: Person) {
  const host = referrer && URL.canParse(referrer) && new URL(referrer).hostname.replace(/^www\./, '');
  return (
    <>
      {host || (utm_source ? null : '–')}
      {utm_source && <span className={styles.fields}>UTM source: {utm_source}</span>}
    </>
  );
}
