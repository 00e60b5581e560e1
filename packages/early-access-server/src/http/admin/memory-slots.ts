import { Failure } from '../routing/failure.ts';

const RETRY_SECONDS = 10;

/** Limits work that uses memory until its response has ended. `name` describes the work in the message to the admin. */
export function memorySlots(count: number, name: string) {
  const taken = new Set<symbol>();
  return {
    /** Responds with the result of `work`. Throws a `Failure` if the limit is reached in this process. */
    async run({ method }: Pick<Request, 'method'>, work: () => Promise<Response>): Promise<Response> {
      if (taken.size >= count) {
        const message = `another ${name} is in progress; try again when it ends`;
        throw new Failure(429, 'rate-limited', message, { retryAfter: RETRY_SECONDS });
      }
      const slot = Symbol();
      taken.add(slot);
      const release = () => void taken.delete(slot);
      try {
        const { body, status, headers } = await work();
        // The body of a response to HEAD is never read.
        if (body !== null && method !== 'HEAD') return new Response(notifyingEnd(body, release), { status, headers });
        release();
        return new Response(null, { status, headers });
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/**
 * Wraps the stream and calls `onEnd` when it has been read completely, has failed or was cancelled. If it is cancelled
 * during a read, `onEnd` is called twice.
 */
function notifyingEnd(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        onEnd();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      onEnd();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason).finally(onEnd),
  });
}
