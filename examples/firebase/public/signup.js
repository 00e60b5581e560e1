import { firestoreAdapter } from '/early-access-kit/adapters/firestore.js';
import { startTracker } from '/early-access-kit/tracker.js';
import { firebaseConfig } from './firebase-config.js';

const adapter = firestoreAdapter(firebaseConfig);
const form = document.querySelector('form');
const status = form.querySelector('[role=status]');
// One id for all attempts, so that a lost answer never becomes "already registered".
const submissionId = crypto.randomUUID();

let session = null;
startTracker({
  adapter,
  onSession(id) {
    session = id;
  },
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = form.elements.namedItem('email').value;
  form.querySelector('button').disabled = true;
  try {
    const result = await adapter.createSignup({
      email,
      session_id: session,
      source: 'landing_page',
      referrer: document.referrer || null,
      submission_id: submissionId,
    });
    if (result === 'created') adapter.sendWelcomeEmail(email).catch(() => {});
    status.textContent = result === 'created' ? "You're on the list!" : 'This email is already registered!';
  } catch {
    status.textContent = 'Something went wrong. Please try again.';
  }
  form.querySelector('button').disabled = false;
});
