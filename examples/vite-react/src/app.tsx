import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import 'early-access-kit/styles.css';

const adapter = httpAdapter({ endpoint: '/api' });

export function App() {
  return (
    <EarlyAccessProvider adapter={adapter}>
      <h1>Something new is coming</h1>
      <SignupForm />
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
