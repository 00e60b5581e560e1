import type { StoredDocument } from '../data/document.ts';
import type { Micros } from '../data/time.ts';
import type { CallCounter } from '../engine/calls.ts';
import type { Guard, View } from '../engine/guard.ts';
import { StatusError } from '../status.ts';
import type { Method } from './ast.ts';
import { EvaluationError, UnknownConstruct } from './errors.ts';
import type { Rules } from './rules.ts';
import { createResource, documentName, type Path, type RuleValue, Timestamp } from './values.ts';

interface GuardOptions {
  /** Without rules everything is denied. */
  readonly rules: Rules | undefined;
  readonly calls: CallCounter;
}

interface Access {
  readonly method: Method;
  /** The path of a document, or of a collection for a query. */
  readonly path: string;
  readonly resource: () => RuleValue;
  readonly requestResource: StoredDocument | undefined;
  readonly requestTime: Micros;
  readonly view: View;
}

/** The number of documents that rules may read for one request. */
const MAX_LOOKUPS = 10;
const DOCUMENTS = ['databases', '(default)', 'documents'];
const NOWHERE = { line: 0, column: 0 };

/** Checks the rules for every access by a caller without the `owner` token. */
export function rulesGuard({ rules, calls }: GuardOptions): Guard {
  const check = (access: Access) => {
    const decision = rules?.decide({
      method: access.method,
      path: splitPath(access),
      variables: new Map([
        ['request', () => createRequest(access)],
        ['resource', access.resource],
      ]),
      readDocument: documentReader(access, calls),
      unknownId: () => unknowable('the id of a document'),
    });
    if (decision?.allowed !== true) throw denied(access, decision?.reasons);
  };
  const resource = (document: StoredDocument | undefined) => () =>
    document === undefined ? null : createResource(document);
  return {
    get(path, document, view, requestTime) {
      const common = { requestResource: undefined, requestTime, view };
      check({ method: 'get', path, resource: resource(document), ...common });
    },
    list(query, view, requestTime) {
      if (query.allDescendants || query.collectionId === undefined)
        throw new StatusError('UNIMPLEMENTED', 'Rules for collection groups are not supported.');
      const path = query.parent === '' ? query.collectionId : `${query.parent}/${query.collectionId}`;
      const common = { requestResource: undefined, requestTime, view };
      check({ method: 'list', path, resource: () => unknowable('resource'), ...common });
    },
    write({ method, path, before, after }, view, requestTime) {
      const requestResource = method === 'get' ? undefined : after;
      check({ method, path, resource: resource(before), requestResource, requestTime, view });
    },
  };
}

/** Firestore proves from the query that a condition is true for all results. The fake cannot do that. */
function unknowable(what: string): never {
  throw new UnknownConstruct(`a rule for "list" that depends on ${what} is not supported`, NOWHERE);
}

function splitPath({ method, path }: Access): readonly (string | undefined)[] {
  return [...DOCUMENTS, ...path.split('/'), ...(method === 'list' ? [undefined] : [])];
}

function createRequest({ method, path, requestResource, requestTime }: Access): RuleValue {
  return new Map<string, RuleValue>([
    ['auth', null],
    ['method', method],
    ['path', documentName(path)],
    ['time', new Timestamp(requestTime)],
    ...(requestResource === undefined ? [] : ([['resource', createResource(requestResource)]] as const)),
  ]);
}

/** Documents read by rules are billed once per request. */
function documentReader({ view }: Access, calls: CallCounter): (name: string, path: Path) => RuleValue {
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
    const document = view(path);
    if (name === 'exists') return document !== undefined;
    if (document === undefined) throw new EvaluationError(`${name}() of ${path}, which does not exist`);
    return createResource(document);
  };
}

/** Firestore gives no reason. The fake adds one to make rules easier to debug. */
function denied({ method, path }: Access, reasons: readonly string[] | undefined): StatusError {
  const why = reasons === undefined ? 'there are no rules' : reasons.join('; ') || 'no "allow" matches';
  return new StatusError('PERMISSION_DENIED', `Missing or insufficient permissions. (${method} ${path}: ${why})`);
}
