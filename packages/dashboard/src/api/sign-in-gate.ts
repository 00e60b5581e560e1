/** Requests that the server rejected because the session ended. They are sent again after the admin has signed in. */
export interface SignInGate {
  untilSignedIn(): Promise<void>;
  /** The admin has signed in again. */
  open(): void;
  readonly isClosed: () => boolean;
  subscribe(listener: () => void): () => void;
}

export function signInGate(): SignInGate {
  const listeners = new Set<() => void>();
  let waiting: PromiseWithResolvers<void> | null = null;
  const change = (next: PromiseWithResolvers<void> | null) => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  return {
    untilSignedIn() {
      if (!waiting) change(Promise.withResolvers<void>());
      return waiting?.promise ?? Promise.resolve();
    },
    open() {
      const opened = waiting;
      change(null);
      opened?.resolve();
    },
    isClosed: () => waiting !== null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const NAME = 'early-access-dashboard';

/** Notifies this browser's other tabs that the admin has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage('signed-in');
  channel.close();
}

/** Returns a function that stops listening. */
export function onSignInElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
