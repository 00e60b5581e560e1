import { configure, type EarlyAccessFormElement } from 'early-access-kit/embed';
import { es } from 'early-access-kit/messages/es';

configure({ endpoint: 'https://api.studio.example/api', messages: es, locale: 'es' });

const form: EarlyAccessFormElement = document.createElement('early-access-form');
form.errors = 'none';
form.noBotGuard = true;
form.humanCheck = 'turnstile';
form.siteKey = 'key';
form.addEventListener('early-access:error', ({ detail }) => {
  const reason: 'invalid' | 'failed' = detail.reason;
  document.title = reason;
});
document.addEventListener('early-access:success', ({ target }) => {
  if (target === form) form.remove();
});

const tracker = document.querySelector('early-access-tracker');
if (tracker !== null) tracker.consent = 'granted';
