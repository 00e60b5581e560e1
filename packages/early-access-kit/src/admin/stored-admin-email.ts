/** Key in `localStorage` of the admin email once unlocked. */
export const ADMIN_EMAIL_KEY = 'adminEmail';

/** The address that this browser unlocked with; null where there is none or storage is blocked. */
export function readAdminEmail(): string | null {
  try {
    return localStorage.getItem(ADMIN_EMAIL_KEY) || null;
  } catch {
    return null;
  }
}
