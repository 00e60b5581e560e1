import { Toast } from '@base-ui/react/toast';
import { TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from './button.tsx';
import type { MessageQueue } from './message-queue.ts';
import { reserveRoom } from './reserve-room.ts';
import styles from './toasts.module.css';
import ui from './ui.module.css';

/** Shows messages as toasts, each once. */
export function ToastRegion({ queue }: { readonly queue: MessageQueue }) {
  return (
    <Toast.Provider timeout={6_000}>
      <Toast.Portal>
        <Toast.Viewport ref={reserveRoom} className={`${ui.overlay} ${styles.viewport}`}>
          <ToastList queue={queue} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList({ queue }: { readonly queue: MessageQueue }) {
  const { add, toasts } = Toast.useToastManager();
  useEffect(() => queue.connect(add), [queue, add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      {toast.type === 'error' && <TriangleAlert aria-hidden />}
      <Toast.Content className={styles.text}>
        <Toast.Title />
      </Toast.Content>
      <Toast.Close
        render={
          <Button look="quiet" icon aria-label="Close message">
            <X aria-hidden />
          </Button>
        }
      />
    </Toast.Root>
  ));
}
