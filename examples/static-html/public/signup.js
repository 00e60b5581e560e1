import { httpAdapter } from '/early-access-kit/adapters/http.js';
import { isStorageError, isValidEmail } from '/early-access-kit/core.js';
import { startTracker } from '/early-access-kit/tracker.js';

const adapter = httpAdapter({ endpoint: '/api' });
const form = document.querySelector('form');
const status = form.querySelector('[role=status]');

// The session in which the visitor signs up.
let session = null;
startTracker({
  adapter,
  onSession(id) {
    session = id;
  },
});

// One id for all attempts with the same address, so that a lost response never becomes "already registered".
let submission = { email: '', id: '' };

form.noValidate = true;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = form.elements.namedItem('email').value;
  if (!isValidEmail(email)) {
    status.textContent = 'Please enter a valid email address';
    return;
  }
  if (submission.email !== email) submission = { email, id: crypto.randomUUID() };
  form.querySelector('button').disabled = true;
  try {
    const result = await adapter.createSignup({
      email,
      session_id: session,
      source: 'landing_page',
      referrer: document.referrer || null,
      submission_id: submission.id,
    });
    if (result === 'created') adapter.sendWelcomeEmail(email).catch(() => {});
    status.textContent = result === 'created' ? "You're on the list!" : 'This email is already registered!';
  } catch (error) {
    status.textContent =
      isStorageError(error) && error.code === 'rate-limited'
        ? 'Please try again in a minute.'
        : 'Something went wrong. Please try again.';
  }
  form.querySelector('button').disabled = false;
});
