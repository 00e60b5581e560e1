import {
  AdminOverlay,
  EarlyAccessProvider,
  type EarlyAccessProviderProps,
  type EmailSignup,
  type HumanCheck,
  type Messages,
  type Notify,
  SessionTracker,
  SignupForm,
  type SignupFormProps,
  type SignupOutcome,
  type StorageAdapter,
  useSessionTracker,
  useSignup,
} from 'early-access-kit';
import { SignupCount } from 'early-access-kit/count';
import { type FieldDeclarations, signupFields } from 'early-access-kit/fields';
import { hcaptcha } from 'early-access-kit/human/hcaptcha';
import { proofOfWork } from 'early-access-kit/human/proof-of-work';
import { turnstile } from 'early-access-kit/human/turnstile';
import { keepTypedText, useTypedText } from 'early-access-kit/hydration';
import { signupFields as moreSignupFields } from 'early-access-kit/more-fields';
import { ShareLink } from 'early-access-kit/share';
import { EmailSuggestion } from 'early-access-kit/suggest';

const messages: Partial<Messages> = { submit: 'Count me in' };
const notify: Notify = ({ kind, text }) => document.title.concat(kind, text);

const declared: FieldDeclarations = { company: { type: 'text', label: 'Company', required: true } };
const fields = signupFields(declared, { classNames: { field: 'field' } });
const rareFields = moreSignupFields({ size: { type: 'number', label: 'Size', help: 'How many of you?' } });

const checks: readonly HumanCheck[] = [
  turnstile({ siteKey: 'key', parameters: { theme: 'light' } }),
  hcaptcha({ siteKey: 'key' }),
  proofOfWork({ endpoint: '/api' }),
];

export function Page({ adapter, className }: { adapter: StorageAdapter; className?: string }) {
  const props: EarlyAccessProviderProps = { adapter, messages, notify };
  const form: SignupFormProps = { errors: 'none', action: '/api/signup-form', className, botGuard: false };
  return (
    <EarlyAccessProvider {...props}>
      <SignupForm {...form} onOutcome={(outcome) => outcome satisfies SignupOutcome} />
      <SignupForm fields={fields} humanCheck={checks[0]} slots={{ note: <EmailSuggestion /> }} />
      <SignupForm fields={rareFields} />
      <ShareLink />
      <SignupCount text={{ other: '{count} artists have joined' }} />
      <SessionTracker consent={Promise.resolve(true)} endSession="idle" />
      <AdminOverlay />
      <OwnMarkup />
    </EarlyAccessProvider>
  );
}

export const onRecoverableError: () => void = keepTypedText(document);

function OwnMarkup() {
  const { status, invalid, submit, clearError } = useSignup({ source: 'elsewhere' });
  useSessionTracker({ consent: false });
  useTypedText();
  const email: EmailSignup['email'] = 'ada@example.org';
  return (
    <button
      type="button"
      disabled={status === 'submitting' || invalid}
      onClick={() => submit(email)}
      onBlur={clearError}
    >
      {status}
    </button>
  );
}
