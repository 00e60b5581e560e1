import { SessionTracker, SignupForm } from 'early-access-kit';
import { connection } from 'next/server';
import { EarlyAccess } from './early-access';

const API = process.env.EARLY_ACCESS_API ?? 'http://localhost:4173/api';

export default async function Page() {
  // The page's scripts carry a nonce of their own at each request, so that it cannot be rendered ahead of it.
  await connection();
  return (
    <main>
      <h1>Something new is coming</h1>
      <EarlyAccess api={API}>
        {/* With an action, the form works before and without scripts. */}
        <SignupForm action={`${API}/signup-form`} />
        <SessionTracker />
      </EarlyAccess>
    </main>
  );
}
