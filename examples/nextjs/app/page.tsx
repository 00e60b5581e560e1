import { SessionTracker, SignupForm } from 'early-access-kit';
import { EarlyAccess } from './early-access';

export default function Page() {
  return (
    <main>
      <h1>Something new is coming</h1>
      <p>Be among the first to try it. We’ll email you when it’s ready.</p>
      <EarlyAccess>
        {/* With an action, the form works before scripts have loaded, and without them. */}
        <SignupForm action="/api/signup-form" />
        <SessionTracker />
      </EarlyAccess>
    </main>
  );
}
