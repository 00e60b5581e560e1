import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { useState } from 'react';

/** Rendered on the server and in the browser. `api` is the URL of the server's routes. */
export function Page({ api }) {
  const [adapter] = useState(() => httpAdapter({ endpoint: api }));
  return (
    <EarlyAccessProvider adapter={adapter}>
      <h1>Something new is coming</h1>
      <SignupForm action={`${api}/signup-form`} />
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
