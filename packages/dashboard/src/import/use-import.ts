import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ColumnUse, DateOrder, ImportReport, ValueMeaning } from 'early-access-server/admin-api';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { type ImportProgress, readImportEvents } from './import-events.ts';

/** Keyed by column number. Null ignores the column. */
export type ColumnChoices = ReadonlyMap<number, ColumnUse | null>;
/** Keyed by column and value (see `valueKey`). */
export type ValueChoices = ReadonlyMap<string, ValueMeaning>;

/** A file, and the admin's choices for it. */
export interface Upload {
  readonly file: File;
  readonly columns: ColumnChoices;
  readonly values: ValueChoices;
  readonly dates: DateOrder | null;
}

/** Matches all values of a column that have no choice of their own. */
export const OTHER_VALUES = '*';

/** The API's key for a value of a column. */
export function valueKey(column: number, value: string): string {
  return `${column}:${value}`;
}

/** A file that is checked again after each choice, and then imported. */
export function useImport() {
  const api = useApi();
  const client = useQueryClient();
  const running = useRef(new AbortController());
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [upload, setUpload] = useState<Upload | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  /** Used to skip queued checks of earlier choices. */
  const newest = useRef<Upload>(null);
  useEffect(() => () => running.current.abort(), []);

  const send = ({ file, columns, values, dates }: Upload, flags: Readonly<Record<string, string>>) => {
    running.current = new AbortController();
    const choices = new URLSearchParams({ name: file.name });
    for (const [number, use] of columns) choices.append('column', `${use ?? 'ignore'}=${number}`);
    for (const [key, meaning] of values) choices.append('value', `${key}=${meaning}`);
    const query = new URLSearchParams({ ...flags, ...(dates && { dates }) });
    return api.importFile(file, query, choices, running.current.signal);
  };
  const check = useMutation({
    // The server processes one file at a time, so checks run one after the other.
    scope: { id: 'import-check' },
    mutationFn: async (next: Upload): Promise<ImportReport | null> =>
      next === newest.current ? (await send(next, { 'dry-run': '1' })).json() : null,
    onSuccess: (checked, { file }) => checked && file === newest.current?.file && setReport(checked),
  });
  /** The second click of a double click arrives before the button is busy. */
  const isStarted = useRef(false);
  const run = useMutation({
    mutationFn: async ({ file, isWelcomed }: { readonly file: Upload; readonly isWelcomed: boolean }) => {
      const flags = { 'dry-run': '0', welcome: isWelcomed ? '1' : '0' };
      return readImportEvents(await send(file, flags), setProgress);
    },
    onSettled: () => {
      isStarted.current = false;
      return client.invalidateQueries({ queryKey: ['people'] });
    },
  });
  const isRunning = run.isPending;
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);

  const prepare = (next: Upload) => {
    run.reset();
    setProgress(null);
    setUpload(next);
    newest.current = next;
    check.mutate(next);
  };
  return {
    upload,
    report,
    progress,
    check,
    run,
    choose(file: File | undefined) {
      if (file === undefined || isRunning) return;
      setReport(null);
      prepare({ file, columns: new Map(), values: new Map(), dates: null });
    },
    /** Changes a choice, and checks the file again. */
    change(choices: Partial<Omit<Upload, 'file'>>) {
      if (upload !== null) prepare({ ...upload, ...choices });
    },
    start(isWelcomed: boolean) {
      if (upload === null || isStarted.current) return;
      isStarted.current = true;
      run.mutate({ file: upload, isWelcomed });
    },
    stop: () => running.current.abort(),
    /** All lines with a problem, as a CSV. */
    readProblems: async (file: Upload) => (await send(file, { 'dry-run': '1', problems: 'csv' })).blob(),
  };
}
