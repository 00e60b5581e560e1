const NAME = 'early-access-dashboard';

/** Notifies the other tabs of this browser that the admin has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage('signed-in');
  channel.close();
}

/** Returns the function that stops listening. */
export function onSignInElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
