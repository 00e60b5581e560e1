import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import 'early-access-kit/styles.css';

const adapter = httpAdapter({ endpoint: '/api' });

export function App() {
  return (
    <EarlyAccessProvider adapter={adapter}>
      <main>
        <h1>Something new is coming</h1>
        <p>Be among the first to try it. We’ll email you when it’s ready.</p>
        <SignupForm />
      </main>
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
