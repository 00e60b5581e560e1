import type { Backend } from './backend.ts';

/** Firebase Authentication, which asks the function before it creates an account. */
export function firebaseAccounts(emulator: string): Backend['createAccount'] {
  return async (email) => {
    const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse' }),
    });
    const { error }: { error?: { message: string } } = await response.json();
    return error?.message ?? null;
  };
}
