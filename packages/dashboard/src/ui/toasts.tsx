import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './toasts.module.css';
import ui from './ui.module.css';

/** Shows results of actions, and announces them. Errors stay until they are closed. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={6_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={`${ui.overlay} ${styles.viewport}`}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
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

/** Returns functions that show a toast when an action succeeded or failed. */
export function useNotify() {
  const { add } = Toast.useToastManager();
  return {
    done: (title: string) => void add({ title }),
    failed: (error: Error) => void add({ title: error.message, type: 'error', timeout: 0 }),
  };
}
