import type { InviteWave } from '../../app/list/list-store.ts';
import { integer, type Row } from './row.ts';

/** The wave in a row of `invite_waves` with its progress. */
export function toWave(row: Row | undefined): InviteWave {
  const [created_at, people] = [integer(row, 'created_at'), integer(row, 'people')];
  const [sent, queued, failed] = [integer(row, 'sent'), integer(row, 'queued'), integer(row, 'failed')];
  return { id: String(integer(row, 'id')), created_at, people, sent, queued, failed, joined: integer(row, 'joined') };
}
