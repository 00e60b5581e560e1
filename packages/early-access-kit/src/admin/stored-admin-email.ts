/** The `localStorage` key of the admin email after a successful unlock. */
export const ADMIN_EMAIL_KEY = 'adminEmail';

/** Returns the stored address; undefined if there is none or storage is blocked. */
export function readAdminEmail(): string | undefined {
  try {
    return localStorage.adminEmail;
  } catch {}
}

/** If storage is blocked or full, the overlay stays unlocked until the page is closed. */
export function saveAdminEmail(email: string): void {
  try {
    localStorage.setItem(ADMIN_EMAIL_KEY, email);
  } catch {}
}

export function removeAdminEmail(): void {
  try {
    localStorage.removeItem(ADMIN_EMAIL_KEY);
  } catch {}
}

/** Calls the listener when another tab stores or removes the address. Returns a function that removes the listener. */
export function onAdminEmailChange(listener: (email: string | null) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the storage was cleared.
    if (event.key === ADMIN_EMAIL_KEY || event.key === null) listener(event.newValue || null);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
