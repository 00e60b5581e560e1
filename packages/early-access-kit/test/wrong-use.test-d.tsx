/** TypeScript rejects each of these. The file is compiled but never run. */
import { firestoreAdapter } from '../src/adapters/firestore.ts';
import { httpAdapter } from '../src/adapters/http.ts';
import { memoryAdapter, memoryStore } from '../src/adapters/memory.ts';
import {
  analyticsWindowStart,
  clampDuration,
  clampTimes,
  isValidEmail,
  mergeSession,
  normalizeEmail,
  type SessionRecord,
  splitTotals,
  toSessionRecord,
  toSummary,
} from '../src/core.ts';
import { SignupCount } from '../src/count.ts';
import { configure } from '../src/embed.ts';
import { checkDeclarations, checkValue, signupFields } from '../src/fields.ts';
import { hcaptcha } from '../src/human/hcaptcha.ts';
import { proofOfWork } from '../src/human/proof-of-work.ts';
import { turnstile } from '../src/human/turnstile.ts';
import { keepTypedText, useTypedText } from '../src/hydration.ts';
import {
  AdminOverlay,
  EarlyAccessProvider,
  isStorageError,
  SessionTracker,
  SignupForm,
  StorageError,
  useAdmin,
  useSessionTracker,
  useSignup,
} from '../src/index.ts';
import { findLanguage, getDirection } from '../src/messages.ts';
import { ShareLink, useShare, withShare } from '../src/share.ts';
import { EmailSuggestion } from '../src/suggest.ts';
import { exampleSession, exampleSignup, exampleUpdate, runAdapterContract } from '../src/testing.ts';
import {
  areOwnVisitsIgnored,
  forgetVisitor,
  ignoreOwnVisits,
  ignoreOwnVisitsByDefault,
  startTracker,
} from '../src/tracker.ts';

export function useWrongly(session: SessionRecord): void {
  // @ts-expect-error
  useAdmin('admin@example.com');
  // @ts-expect-error
  useSignup({ source: 7 });
  // @ts-expect-error
  useSessionTracker(true);
  // @ts-expect-error
  useTypedText(document);
  // @ts-expect-error
  useShare(httpAdapter());

  // @ts-expect-error
  isStorageError();
  // @ts-expect-error
  new StorageError('not-found', 'there is no such code');
  // @ts-expect-error
  isValidEmail(null);
  // @ts-expect-error
  normalizeEmail(undefined);
  // @ts-expect-error
  analyticsWindowStart(new Date());
  // @ts-expect-error
  mergeSession(session);
  // @ts-expect-error
  splitTotals({ page_count: 1 });
  // @ts-expect-error
  toSessionRecord({ id: session.id });
  // @ts-expect-error
  toSummary({ sessions: 1 }, 1, 0);
  // @ts-expect-error
  clampDuration({ duration: 1 }, 0, 0);
  // @ts-expect-error
  clampTimes({ session_start: '2026-11-01' }, 0);

  // @ts-expect-error
  areOwnVisitsIgnored(localStorage);
  // @ts-expect-error
  ignoreOwnVisits('ignored');
  // @ts-expect-error
  ignoreOwnVisitsByDefault(true);
  // @ts-expect-error
  startTracker({ consent: true });
  // @ts-expect-error
  forgetVisitor(session.visitor_id);

  // @ts-expect-error
  checkDeclarations();
  // @ts-expect-error
  checkValue({ type: 'color', label: 'Paint' }, 7);
  // @ts-expect-error
  signupFields({ company: { type: 'text' } });
  // @ts-expect-error
  keepTypedText('#root');
  // @ts-expect-error
  withShare({});
  // @ts-expect-error
  turnstile({});
  // @ts-expect-error
  hcaptcha({ sitekey: 'key' });
  // @ts-expect-error
  proofOfWork({ url: '/api' });
  // @ts-expect-error
  firestoreAdapter({ project: 'demo' });
  // @ts-expect-error
  httpAdapter('/api');
  // @ts-expect-error
  memoryStore({});
  // @ts-expect-error
  memoryAdapter({ admin: 'admin@example.com' });
  // @ts-expect-error
  findLanguage();
  // @ts-expect-error
  getDirection('he');
  // @ts-expect-error
  configure({ adapter: 'http' });
  // @ts-expect-error
  exampleSession(new Date());
  // @ts-expect-error
  exampleSignup({ mail: 'ada@example.com' });
  // @ts-expect-error
  exampleUpdate(session.id);
  // @ts-expect-error
  runAdapterContract({ name: 'mine' });
}

export const WRONG_WIDGETS = [
  // @ts-expect-error
  <AdminOverlay key="overlay" dashboardUrl={7} />,
  // @ts-expect-error
  <EarlyAccessProvider key="provider">No adapter</EarlyAccessProvider>,
  // @ts-expect-error
  <SignupForm key="form" sorce="hero" />,
  // @ts-expect-error
  <SessionTracker key="tracker" consent="yes" />,
  // @ts-expect-error
  <ShareLink key="share" className={7} />,
  // @ts-expect-error
  <SignupCount key="count" />,
  // @ts-expect-error
  <EmailSuggestion key="suggestion" domain="example.com" />,
];
