import { SessionTracker, SignupForm } from 'early-access-kit';
import { connection } from 'next/server';
import { EarlyAccess } from './early-access';

export default async function Page() {
  // The scripts of the page carry a new nonce at each request, so it cannot be rendered ahead of it.
  await connection();
  return (
    <main>
      <h1>Something new is coming</h1>
      <p>Be among the first to try it. We’ll email you when it’s ready.</p>
      <EarlyAccess>
        {/* With an action, the form works before and without scripts. */}
        <SignupForm action="/api/signup-form" />
        <SessionTracker />
      </EarlyAccess>
    </main>
  );
}
