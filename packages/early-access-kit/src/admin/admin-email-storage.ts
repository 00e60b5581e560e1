import { ADMIN_EMAIL_KEY } from './stored-admin-email.ts';

/** Where storage is blocked or full the page stays unlocked until it closes. */
export function keepAdminEmail(email: string): void {
  try {
    localStorage.setItem(ADMIN_EMAIL_KEY, email);
  } catch {}
}

export function forgetAdminEmail(): void {
  try {
    localStorage.removeItem(ADMIN_EMAIL_KEY);
  } catch {}
}

/** Calls back when another tab keeps or forgets the address. Returns its own undo. */
export function onAdminEmailChange(listener: (email: string | null) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key stands for all of them: the storage was cleared.
    if (event.key === ADMIN_EMAIL_KEY || event.key === null) listener(event.newValue || null);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
