/** An engine to ask: Google's, or the fake. */
export interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** `127.0.0.1:PORT`, for gRPC. */
  readonly grpcHost: string;
  setRules(text: string): Promise<void>;
}

export interface Answer {
  readonly code: number;
  /** `200`, or the code and the status of the error: `404 NOT_FOUND`. */
  readonly status: string;
  readonly body: unknown;
}

export const PROJECT = 'demo-recorded';
export const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

/** Questions that several engines are asked. A line of the recorded file holds the answers to one group. */
export interface Group {
  readonly name: string;
  /** The rules for its questions. Without them the previous rules apply. */
  readonly rules?: string;
  readonly questions: readonly Question[];
}

/** A label, which says what is asked, and what asks it. */
export type Question = readonly [string, (target: Target) => Promise<string>];

export function post(target: Target, verb: string, body: unknown, as?: 'owner', parent = ''): Promise<Answer> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  return request(target, `${ROOT}${parent}:${verb}`, as, init);
}

/** Whether the document can be read: `found`, `missing`, or the error. */
export async function read(target: Target, path: string, as?: 'owner'): Promise<string> {
  const { status, body } = await post(target, 'batchGet', { documents: [nameDocument(path)] }, as);
  return status !== '200' ? status : JSON.stringify(body).includes('"missing"') ? 'missing' : 'found';
}

export function commit(target: Target, as: 'owner' | undefined, ...writes: readonly object[]): Promise<Answer> {
  return post(target, 'commit', { writes }, as);
}

export function nameDocument(path: string): string {
  return `${ROOT}/${path}`;
}

let documents = 0;

/** The path of a document that no other question uses. */
export function fresh(collection: string): string {
  documents += 1;
  return `${collection}/document-${documents}`;
}

/** The items of a list that is written with ` ¦ ` between them. */
export function splitList(text: string): readonly string[] {
  return text.split(' ¦ ');
}

/** The fields of a document, or that it is missing. */
export async function storedFields(target: Target, path: string): Promise<string> {
  const { body } = await post(target, 'batchGet', { documents: [nameDocument(path)] }, 'owner');
  const [row]: readonly { found?: { fields?: object } }[] = Array.isArray(body) ? body : [];
  return row?.found === undefined ? 'missing' : plain(row.found.fields ?? {});
}

/** JSON without the types of values and without times, so that lines stay short. */
export function plain(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(
      /\{"(?:integer|double|string|boolean|null|timestamp|reference|bytes|geoPoint)Value":("[^"]*"|[^{}]*|\{[^{}]*\})\}/g,
      '$1',
    )
    .replaceAll(/"(?:array|map)Value":/g, '')
    .replaceAll('"-0"', '0')
    .replaceAll(/\d{4}-\d\d-\d\dT[^"]*Z/g, 'TIME');
}

export function wrapRules(body: string): string {
  return `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
${body}
  }
}`;
}

async function request({ url }: Target, path: string, as?: 'owner', init: RequestInit = {}): Promise<Answer> {
  const headers: HeadersInit = as === 'owner' ? { authorization: 'Bearer owner' } : {};
  const response = await fetch(`${url}/v1/${path}`, { ...init, headers });
  const text = await response.text();
  const body: unknown = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  return { code: response.status, status: response.ok ? '200' : `${response.status} ${readError(body)}`, body };
}

/** The status of an error. In production streaming verbs return it in a list, as the fake does; Google's emulator does not. */
function readError(body: unknown): string {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const error = typeof first === 'object' && first !== null && 'error' in first ? first.error : undefined;
  return typeof error === 'object' && error !== null && 'status' in error ? String(error.status) : 'no status';
}

/** Asks all questions. Returns one line for each group, sorted: which questions have which answer, and what all others have. */
export async function askQuestions(groups: readonly Group[], target: Target): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name, rules, questions } of groups) {
    if (rules !== undefined) await target.setRules(rules);
    const answers = await Promise.all(questions.map(async ([label, ask]) => ({ label, answer: await ask(target) })));
    const labels = new Map<string, string[]>();
    for (const { label, answer } of answers) labels.set(answer, [...(labels.get(answer) ?? []), label]);
    const [most, ...others] = [...labels].sort(
      ([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1),
    );
    const listed = others.map(([answer, asked]) => `${answer}: ${asked.join(' | ')}`);
    lines.push([name, ...listed.sort(), `else ${most?.[0]}`].join('\t'));
  }
  return lines.sort();
}
