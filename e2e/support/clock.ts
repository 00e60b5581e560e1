import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRoot } from '@early-access-kit/testkit/temp-root';

/** The clock of a backend's processes, which a test can set ahead. */
export interface Clock {
  /** The environment variable that makes a process use this clock. */
  readonly settings: { readonly NODE_OPTIONS: string };
  /** Returns its time in epoch milliseconds. */
  now(): number;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Processes read the time from a file, because on Firebase each function has several, and some start later. */
export async function startClock(): Promise<Clock> {
  const folder = await mkdtemp(join(tempRoot(), 'early-access-clock-'));
  const file = join(folder, 'ahead');
  let ahead = 0;
  await writeFile(file, '0');
  // The time only changes between requests. If it jumps by ten minutes during a read, Google's client may neither resolve
  // nor reject (`retryAfterDelay` in retry-request). Also replaces `new Date()`, because Google's libraries compare one
  // with the other.
  const code = `
    import { subscribe } from 'node:diagnostics_channel';
    import { readFileSync } from 'node:fs';
    let ahead = 0;
    let requests = 0;
    const read = () => { if (requests === 0) ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
    subscribe('http.server.request.start', ({ response }) => {
      read();
      requests += 1;
      response.once('close', () => { requests -= 1; });
    });
    const { now } = Date;
    Date.now = () => { read(); return now() + ahead; };
    globalThis.Date = new Proxy(Date, {
      construct: (target, given, derived) => Reflect.construct(target, given.length ? given : [Date.now()], derived),
    });
  `;
  return {
    settings: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` },
    now: () => Date.now() + ahead,
    async advance(ms) {
      ahead += ms;
      // Renamed afterwards, so that no process reads a partial file.
      await writeFile(`${file}.new`, String(ahead));
      await rename(`${file}.new`, file);
    },
    close: () => rm(folder, { recursive: true }),
  };
}
