import { AdminOverlay, EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { useTypedText } from 'early-access-kit/hydration';
import { useState } from 'react';
import type { Route } from './+types/home';

export function loader() {
  return { api: process.env.EARLY_ACCESS_API ?? 'http://localhost:4173/api' };
}

export default function Home({ loaderData: { api } }: Route.ComponentProps) {
  const [adapter] = useState(() => httpAdapter({ endpoint: api }));
  // If a browser extension has changed the page, React renders it again. This restores what the visitor typed.
  useTypedText();
  return (
    <EarlyAccessProvider adapter={adapter}>
      <h1>Something new is coming</h1>
      <SignupForm action={`${api}/signup-form`} />
      <SessionTracker />
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
