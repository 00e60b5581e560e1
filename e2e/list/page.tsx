import { CheckInbox, EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { createRoot } from 'react-dom/client';

/** A host's page whose form asks to check the inbox. */
createRoot(document.getElementById('page') ?? document.body).render(
  <EarlyAccessProvider adapter={httpAdapter()}>
    <SignupForm slots={{ success: <CheckInbox /> }} />
  </EarlyAccessProvider>,
);
