import { MAX_BODY_BYTES } from 'early-access-kit/internal';
import { MAX_JSON_DEPTH, readJson } from '../../app/access/read-json.ts';
import { Failure } from './failure.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body as text, up to `maxBytes`. Throws a `Failure` if it is larger, incomplete or not UTF-8. */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  const bytes = declared === null ? await readStream(request, maxBytes) : await readWhole(request, maxBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure(400, 'invalid', 'the body must be UTF-8');
  }
}

/** Streams the body, of any size. Throws a `Failure` if it is incomplete. */
export async function* streamBody({ body }: Request): AsyncGenerator<Uint8Array, void, void> {
  try {
    if (body) yield* body;
  } catch (error) {
    incomplete(error);
  }
}

/** The HTTP parser ends the body at its declared length, so it can be read in one step. */
async function readWhole(request: Request, maxBytes: number): Promise<ArrayBuffer> {
  const bytes = await request.arrayBuffer().catch(incomplete);
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of streamBody(request)) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function incomplete(cause: unknown): never {
  throw new Failure(400, 'invalid', 'the body is incomplete', { cause });
}

function tooLarge(maxBytes: number): Failure {
  return new Failure(413, 'invalid', `the body must not be larger than ${maxBytes} bytes`);
}

export function parseJson(text: string): unknown {
  const value = readJson(text);
  if (value === undefined)
    throw new Failure(400, 'invalid', `the body must be JSON, nested ${MAX_JSON_DEPTH} times at most`);
  return value;
}
