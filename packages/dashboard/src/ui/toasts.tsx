import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react';
import { type Message, MessageQueue } from './message-queue.ts';
import { reserveRoom } from './reserve-room.ts';
import styles from './toasts.module.css';
import ui from './ui.module.css';

interface Notify {
  done(title: string): void;
  failed(error: Error): void;
}

const NotifyContext = createContext<Notify | null>(null);

const ToastRegion = lazy(() =>
  import('./toast-region.tsx').then(
    ({ ToastRegion }) => ({ default: ToastRegion }),
    () => ({ default: LastMessage }),
  ),
);

/** Events that can start an action. */
const INTERACTIONS = ['pointerdown', 'keydown', 'click'] as const;

/** Shows and announces results of actions. Errors stay until they are closed. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [queue] = useState(() => new MessageQueue());
  const [isUsed, setUsed] = useState(false);
  const notify = useMemo<Notify>(() => {
    const add = (message: Message) => {
      queue.add(message);
      setUsed(true);
    };
    return {
      done: (title) => add({ title }),
      failed: ({ message }) => add({ title: message, type: 'error', timeout: 0 }),
    };
  }, [queue]);
  // Results only exist after an action, so the region is loaded at the admin's first interaction.
  useEffect(() => {
    const stop = new AbortController();
    for (const type of INTERACTIONS) {
      addEventListener(type, () => setUsed(true), { once: true, capture: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, []);
  return (
    <NotifyContext value={notify}>
      {children}
      {isUsed && (
        <Suspense>
          <ToastRegion queue={queue} />
        </Suspense>
      )}
    </NotifyContext>
  );
}

/** Shows the last message if the toasts' script failed to load, so that no result is lost. */
function LastMessage({ queue }: { readonly queue: MessageQueue }) {
  const [message, setMessage] = useState<Message | null>(null);
  useEffect(() => queue.connect(setMessage), [queue]);
  return (
    <div ref={reserveRoom} role="status" className={`${ui.overlay} ${styles.viewport}`}>
      {message && (
        <p className={styles.toast} data-type={message.type}>
          {message.title}
        </p>
      )}
    </div>
  );
}

/** Returns functions that show a toast when an action succeeds or fails. */
export function useNotify(): Notify {
  const notify = use(NotifyContext);
  if (!notify) throw new Error('useNotify must be used within <Toasts>');
  return notify;
}
