import type { Awaitable } from '../../stores/store.ts';
import type { AdminSessions } from './admin-sessions.ts';

/** What the admin's routes need besides the store. */
export interface AdminService {
  readonly sessions: AdminSessions;
  /** Takes the same time for every address: sends a link later if the normalised address is an admin's. */
  requestSignIn(email: string): Awaitable<void>;
}
