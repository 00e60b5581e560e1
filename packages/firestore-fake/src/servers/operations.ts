import { wireDocument } from '../data/document.ts';
import { optional, readList, readObject, readString } from '../data/json.ts';
import type { Names } from '../data/names.ts';
import { formatTime } from '../data/time.ts';
import type { CommitResult, Engine } from '../engine/engine.ts';
import type { Guard } from '../engine/guard.ts';
import { readConsistency, readReadOnly } from '../engine/transactions.ts';
import { readMask, readWrite } from '../engine/write.ts';
import { readAggregations } from '../query/aggregate.ts';
import { readQuery } from '../query/query.ts';
import { asStatusError, invalid, STATUS } from '../status.ts';

/** The context of all operations. */
export interface Api {
  readonly engine: Engine;
  readonly names: Names;
}

/** Takes and returns protobuf's JSON. Streaming operations return a list of messages. */
type Operation = (api: Api, request: unknown, guard: Guard) => Promise<object>;

const CONSISTENCY = ['transaction', 'newTransaction'];

async function commit({ engine, names }: Api, request: unknown, guard: Guard) {
  const fields = readObject(request, 'commit', ['database', 'writes', 'transaction']);
  checkDatabase(fields.database, names);
  const writes = readList(fields.writes, 'writes', (write, at) => readWrite(write, at, names));
  const transaction = optional(fields, 'transaction', 'commit', readString);
  return wireCommit(await engine.commit(writes, transaction || undefined, guard));
}

async function batchGet({ engine, names }: Api, request: unknown, guard: Guard) {
  const fields = readObject(request, 'batchGet', ['database', 'documents', 'mask', ...CONSISTENCY]);
  checkDatabase(fields.database, names);
  const paths = readList(fields.documents, 'documents', names.readDocument);
  const mask = optional(fields, 'mask', 'batchGet', readMask);
  const { result, readTime, newTransaction } = await engine.get(paths, readConsistency(fields, 'batchGet'), guard);
  const responses = [...result].map(([path, document]) => ({
    ...(document === undefined ? { missing: names.full(path) } : { found: wireDocument(document, names, mask) }),
    readTime: formatTime(readTime),
  }));
  return newTransaction === undefined ? responses : [{ transaction: newTransaction }, ...responses];
}

async function runQuery({ engine, names }: Api, request: unknown, guard: Guard) {
  const fields = readObject(request, 'runQuery', ['parent', 'structuredQuery', ...CONSISTENCY]);
  const parent = names.readParent(fields.parent, 'parent');
  const query = readQuery(fields.structuredQuery, 'structuredQuery', parent, names);
  const { result, readTime, newTransaction } = await engine.query(query, readConsistency(fields, 'runQuery'), guard);
  const stamp = { readTime: formatTime(readTime) };
  const responses = result.map((document) => ({ document: wireDocument(document, names, query.select), ...stamp }));
  const started = newTransaction === undefined ? [] : [{ transaction: newTransaction }];
  return [...started, ...(responses.length > 0 ? responses : [stamp])];
}

async function runAggregationQuery({ engine, names }: Api, request: unknown, guard: Guard) {
  const fields = readObject(request, 'runAggregationQuery', ['parent', 'structuredAggregationQuery', ...CONSISTENCY]);
  const parent = names.readParent(fields.parent, 'parent');
  const aggregation = readObject(fields.structuredAggregationQuery, 'structuredAggregationQuery', [
    'structuredQuery',
    'aggregations',
  ]);
  const query = readQuery(aggregation.structuredQuery, 'structuredQuery', parent, names);
  const aggregations = readAggregations(aggregation.aggregations, 'aggregations');
  const consistency = readConsistency(fields, 'runAggregationQuery');
  const { result, readTime, newTransaction } = await engine.aggregate(query, aggregations, consistency, guard);
  const response = { result: { aggregateFields: result }, readTime: formatTime(readTime) };
  return newTransaction === undefined ? [response] : [{ transaction: newTransaction }, response];
}

async function beginTransaction({ engine, names }: Api, request: unknown) {
  const fields = readObject(request, 'beginTransaction', ['database', 'options']);
  checkDatabase(fields.database, names);
  return { transaction: engine.begin(readReadOnly(fields.options, 'options')) };
}

async function rollback({ engine, names }: Api, request: unknown) {
  const fields = readObject(request, 'rollback', ['database', 'transaction']);
  checkDatabase(fields.database, names);
  engine.rollback(readString(fields.transaction, 'transaction'));
  return {};
}

/** Independent writes: some may fail while others succeed. */
async function batchWrite({ engine, names }: Api, request: unknown, guard: Guard) {
  const fields = readObject(request, 'batchWrite', ['database', 'writes', 'labels']);
  checkDatabase(fields.database, names);
  const writes = readList(fields.writes, 'writes', (write, at) => readWrite(write, at, names));
  if (new Set(writes.map(({ path }) => path)).size < writes.length) throw invalid('batchWrite has a document twice');
  const outcomes = await Promise.all(
    writes.map(async (write) => {
      try {
        const [result] = wireCommit(await engine.commit([write], undefined, guard)).writeResults;
        return { result: result ?? {}, status: { code: 0 } };
      } catch (error) {
        const { status, message } = asStatusError(error);
        return { result: {}, status: { code: STATUS[status].grpc, message } };
      }
    }),
  );
  return { writeResults: outcomes.map(({ result }) => result), status: outcomes.map(({ status }) => status) };
}

export const OPERATIONS = {
  commit,
  batchGet,
  runQuery,
  runAggregationQuery,
  beginTransaction,
  rollback,
  batchWrite,
} as const satisfies Record<string, Operation>;

export type Verb = keyof typeof OPERATIONS;

function checkDatabase(value: unknown, names: Names): void {
  if (value !== names.database) throw invalid(`The database must be ${names.database}, but is ${String(value)}`);
}

function wireCommit(result: CommitResult) {
  return {
    writeResults: result.writes.map(({ updateTime, transformResults }) => ({
      ...(updateTime === undefined ? {} : { updateTime: formatTime(updateTime) }),
      ...(transformResults.length > 0 ? { transformResults } : {}),
    })),
    commitTime: formatTime(result.commitTime),
  };
}
