import { isDeepStrictEqual } from 'node:util';
import { checkSize, type StoredDocument } from '../data/document.ts';
import { withField } from '../data/field-path.ts';
import { formatTime, type Micros } from '../data/time.ts';
import { findValue, type MapFields, type Value } from '../data/value.ts';
import { StatusError } from '../status.ts';
import { transformFields } from './transform.ts';
import type { Write } from './write.ts';

export interface Effect {
  /** The document after the write; undefined if there is none. */
  readonly after: StoredDocument | undefined;
  readonly transformResults: readonly Value[];
}

/** The effect of a write on the document, without checking its precondition. */
export function computeEffect(
  write: Write,
  before: StoredDocument | undefined,
  requestTime: Micros,
  commitTime: Micros,
): Effect {
  if (write.kind !== 'update') return { after: write.kind === 'verify' ? before : undefined, transformResults: [] };
  const updated = write.mask === undefined ? write.fields : patched(before?.fields ?? {}, write.fields, write.mask);
  const { fields, results } = transformFields(updated, write.transforms, requestTime);
  checkSize(write.path, fields);
  // If a write changes nothing, Firestore keeps the update time and returns it.
  if (before !== undefined && isDeepStrictEqual(before.fields, fields))
    return { after: before, transformResults: results };
  const createTime = before?.createTime ?? commitTime;
  return { after: { path: write.path, fields, createTime, updateTime: commitTime }, transformResults: results };
}

/** The error if the write's precondition fails. */
export function findConflict(write: Write, before: StoredDocument | undefined, name: string): StatusError | undefined {
  const { precondition } = write;
  if (precondition.kind === 'exists' && precondition.exists && before === undefined) {
    return new StatusError('NOT_FOUND', `No document to update: ${name}`);
  }
  if (precondition.kind === 'exists' && !precondition.exists && before !== undefined) {
    return new StatusError('ALREADY_EXISTS', `Document already exists: ${name}`);
  }
  if (precondition.kind === 'updateTime' && before?.updateTime !== precondition.updateTime) {
    const stored = before === undefined ? 'none' : formatTime(before.updateTime);
    const required = formatTime(precondition.updateTime);
    return new StatusError(
      'FAILED_PRECONDITION',
      `The stored version (${stored}) does not match the required base version (${required}): ${name}`,
    );
  }
  return undefined;
}

function patched(base: MapFields, fields: MapFields, mask: readonly (readonly string[])[]): MapFields {
  return mask.reduce((result, path) => withField(result, path, findValue(fields, path)), base);
}
