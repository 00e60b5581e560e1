import { Failure } from '../server/failure.ts';

const RETRY_SECONDS = 10;

/** Limits work that takes memory until its response has ended. */
export interface MemorySlots {
  /** Responds as `work` does. Throws a `Failure` if as much work as allowed is in progress in this process. */
  run(request: Pick<Request, 'method'>, work: () => Promise<Response>): Promise<Response>;
}

/** `name` is the work's, in the message for the admin. */
export function memorySlots(count: number, name: string): MemorySlots {
  let free = count;
  return {
    async run({ method }, work) {
      if (free === 0) {
        const message = `another ${name} is in progress; try again when it has ended`;
        throw new Failure(429, 'rate-limited', message, { retryAfter: RETRY_SECONDS });
      }
      free -= 1;
      const release = once(() => {
        free += 1;
      });
      try {
        const { body, status, headers } = await work();
        // Nobody reads the body of a response to HEAD.
        if (body === null || method === 'HEAD') {
          release();
          return new Response(null, { status, headers });
        }
        return new Response(notifyingEnd(body, release), { status, headers });
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** The stream, which calls `onEnd` when it was read to its end, has failed or was cancelled. */
function notifyingEnd(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    async cancel(reason) {
      try {
        await reader.cancel(reason);
      } finally {
        onEnd();
      }
    },
  });
}
