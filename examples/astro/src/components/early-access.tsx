import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { useTypedText } from 'early-access-kit/hydration';

const adapter = httpAdapter({ endpoint: '/api' });

export function EarlyAccess() {
  // If a browser extension has changed the page, React renders it again. This restores what the visitor typed.
  useTypedText();
  return (
    <EarlyAccessProvider adapter={adapter}>
      <SignupForm action="/api/signup-form" />
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
