import { Failure } from '../routing/failure.ts';

const RETRY_SECONDS = 10;

/** Limits work that takes memory until its response has ended. `name` is the work's, in the message for the admin. */
export function memorySlots(count: number, name: string) {
  const taken = new Set<symbol>();
  return {
    /** Responds as `work` does. Throws a `Failure` if as much work as allowed is in progress in this process. */
    async run({ method }: Pick<Request, 'method'>, work: () => Promise<Response>): Promise<Response> {
      if (taken.size >= count) {
        const message = `another ${name} is in progress; try again when it has ended`;
        throw new Failure(429, 'rate-limited', message, { retryAfter: RETRY_SECONDS });
      }
      const slot = Symbol();
      taken.add(slot);
      const release = () => void taken.delete(slot);
      try {
        const { body, status, headers } = await work();
        // Nobody reads the body of a response to HEAD.
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
 * The stream, which calls `onEnd` when it was read to its end, has failed or was cancelled; cancelled while it is read,
 * twice.
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
