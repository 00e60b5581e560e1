import { type StorageAdapter, StorageError } from 'early-access-kit/core';
import { type AdminEmail, requireAdmin } from '../../app/access/admin-check.ts';
import type { Store } from '../../app/ports/store.ts';
import { isListClosed } from '../../app/signup/list-status.ts';
import type { SignupSteps } from '../../app/signup/sign-up.ts';

export function storeSignup(store: Pick<Store, 'createSignup'>, wakeMail: () => void): SignupSteps['store'] {
  return async (signup, { language, mustConfirm, network }) => {
    const result = await store.createSignup(signup, { language, network, ...(mustConfirm && { confirm: true }) });
    if (result !== 'duplicate' && !isListClosed(result)) wakeMail();
    return result;
  };
}

/**
 * Adapts a store for the public routes. The store queues the welcome email with the signup, so sending it only requires
 * waking the worker.
 */
export function storeAdapter(store: Store, adminEmail: AdminEmail, wakeMail: () => void): StorageAdapter {
  const createSignup = storeSignup(store, wakeMail);
  return {
    async createSignup(signup, language) {
      const result = await createSignup(signup, { language: language ?? null, mustConfirm: false, network: null });
      if (isListClosed(result)) throw new StorageError('forbidden', 'the list accepts no signups now');
      return result;
    },
    // Looks up nothing, so that the response cannot reveal who is signed up.
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
