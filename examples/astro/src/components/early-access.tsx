import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';

const adapter = httpAdapter({ endpoint: '/api' });

export function EarlyAccess() {
  return (
    <EarlyAccessProvider adapter={adapter}>
      <SignupForm action="/api/signup-form" />
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
