import type { StoredDocument } from '../data/document.ts';
import type { Names } from '../data/names.ts';
import type { Micros } from '../data/time.ts';
import type { CallCounter } from '../engine/calls.ts';
import type { Guard, View } from '../engine/guard.ts';
import type { Caller } from '../servers/credentials.ts';
import { StatusError } from '../status.ts';
import type { Method } from './ast.ts';
import { EvaluationError, UnknownConstruct } from './errors.ts';
import type { Rules } from './rules.ts';
import { documentName, type Path, type RuleValue, resourceOf, ruleValueOfJson, Timestamp } from './values.ts';

interface GuardOptions {
  /** Without rules everything is denied. */
  readonly rules: Rules | undefined;
  readonly caller: Caller;
  readonly names: Names;
  readonly calls: CallCounter;
}

interface Access {
  readonly method: Method;
  /** The path of a document, or of a collection for a query. */
  readonly path: string;
  readonly resource: () => RuleValue;
  readonly requestResource: StoredDocument | undefined;
  readonly requestTime: Micros;
  readonly before: View;
  readonly after: View;
}

/** The number of documents that rules may read for one request. */
const MAX_LOOKUPS = 10;
const DOCUMENTS = ['databases', '(default)', 'documents'];
const NOWHERE = { line: 0, column: 0 };

/** Checks the rules for every access by a caller without the `owner` token. */
export function rulesGuard({ rules, caller, calls }: GuardOptions): Guard {
  const auth = authOf(caller);
  const check = (access: Access) => {
    const decision = rules?.decide({
      method: access.method,
      path: pathOf(access),
      variables: new Map([
        ['request', () => requestOf(access, auth)],
        ['resource', access.resource],
      ]),
      readDocument: documentReader(access, calls),
      unknownId: () => unknowable('the id of a document'),
    });
    if (decision?.allowed !== true) throw denied(access, decision?.reasons);
  };
  const resource = (document: StoredDocument | undefined) => () =>
    document === undefined ? null : resourceOf(document);
  return {
    get(path, document, view, requestTime) {
      const common = { requestResource: undefined, requestTime, before: view, after: view };
      check({ method: 'get', path, resource: resource(document), ...common });
    },
    list(query, view, requestTime) {
      if (query.allDescendants || query.collectionId === undefined)
        throw new StatusError('UNIMPLEMENTED', 'Rules for collection groups are not supported.');
      const path = query.parent === '' ? query.collectionId : `${query.parent}/${query.collectionId}`;
      const common = { requestResource: undefined, requestTime, before: view, after: view };
      check({ method: 'list', path, resource: () => unknowable('resource'), ...common });
    },
    write({ method, path, before: document, after: written }, before, after, requestTime) {
      const requestResource = method === 'get' ? undefined : written;
      check({ method, path, resource: resource(document), requestResource, requestTime, before, after });
    },
  };
}

/** Firestore proves from the query that a condition is true for all results. The fake cannot do that. */
function unknowable(what: string): never {
  throw new UnknownConstruct(`a rule for "list" that depends on ${what} is not supported`, NOWHERE);
}

function pathOf({ method, path }: Access): readonly (string | undefined)[] {
  return [...DOCUMENTS, ...path.split('/'), ...(method === 'list' ? [undefined] : [])];
}

function requestOf({ method, path, requestResource, requestTime }: Access, auth: RuleValue): RuleValue {
  return new Map<string, RuleValue>([
    ['auth', auth],
    ['method', method],
    ['path', documentName(path)],
    ['time', new Timestamp(requestTime)],
    ['resource', requestResource === undefined ? null : resourceOf(requestResource)],
  ]);
}

function authOf(caller: Caller): RuleValue {
  if (caller.kind !== 'user') return null;
  return new Map<string, RuleValue>([
    ['uid', ruleValueOfJson(caller.claims.sub)],
    ['token', ruleValueOfJson(caller.claims)],
  ]);
}

/** Documents read by rules are billed once per request. */
function documentReader({ before, after }: Access, calls: CallCounter): (name: string, path: Path) => RuleValue {
  const seen = new Set<string>();
  return (name, { segments }) => {
    const path = segments.slice(DOCUMENTS.length).join('/');
    const wellFormed = DOCUMENTS.every((segment, place) => segments[place] === segment) && segments.length % 2 === 1;
    if (!wellFormed || path === '') throw new EvaluationError(`${name}() takes the path of a document`);
    if (!seen.has(path)) {
      if (seen.size === MAX_LOOKUPS) throw new EvaluationError(`more than ${MAX_LOOKUPS} documents are read`);
      seen.add(path);
      calls.documentReads += 1;
    }
    const document = name === 'get' || name === 'exists' ? before(path) : after(path);
    if (name === 'exists' || name === 'existsAfter') return document !== undefined;
    if (document === undefined) throw new EvaluationError(`${name}() of ${path}, which does not exist`);
    return resourceOf(document);
  };
}

/** Firestore gives no reason. The fake adds one to make rules easier to debug. */
function denied({ method, path }: Access, reasons: readonly string[] | undefined): StatusError {
  const why = reasons === undefined ? 'there are no rules' : reasons.join('; ') || 'no "allow" matches';
  return new StatusError('PERMISSION_DENIED', `Missing or insufficient permissions. (${method} ${path}: ${why})`);
}
