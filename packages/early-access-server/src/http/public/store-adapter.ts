import type { StorageAdapter } from 'early-access-kit/core';
import { type AdminEmail, requireAdmin } from '../../app/access/admin-check.ts';
import type { Store } from '../../app/ports/store.ts';

/** A store as the public routes see it. The store queues the welcome email with the signup, so that sending it only takes waking the worker. */
export function storeAdapter(store: Store, adminEmail: AdminEmail, wakeMail: () => void): StorageAdapter {
  return {
    async createSignup(signup, language = null) {
      const result = await store.createSignup(signup, { language });
      if (result !== 'duplicate') wakeMail();
      return result;
    },
    // Looks nothing up, so that the response cannot reveal who is signed up.
    async sendWelcomeEmail() {
      wakeMail();
    },
    startSession: (session) => store.startSession(session),
    updateSession: (id, update) => store.updateSession(id, update),
    async readSummary(email) {
      requireAdmin(email, adminEmail);
      return store.readSummary();
    },
  };
}
