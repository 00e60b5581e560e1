/** The `localStorage` key of the admin email after a successful unlock. */
export const ADMIN_EMAIL_KEY = 'adminEmail';

/** Returns the address that this browser unlocked with; null if there is none or storage is blocked. */
export function readAdminEmail(): string | null {
  try {
    return localStorage.getItem(ADMIN_EMAIL_KEY) || null;
  } catch {
    return null;
  }
}
