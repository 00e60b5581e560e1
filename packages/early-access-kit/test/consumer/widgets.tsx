import {
  AdminOverlay,
  CheckInbox,
  EarlyAccessProvider,
  type EarlyAccessProviderProps,
  type EmailSignup,
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

const messages: Partial<Messages> = { submit: 'Count me in' };
const notify: Notify = ({ kind, text }) => document.title.concat(kind, text);

export function Page({ adapter, className }: { adapter: StorageAdapter; className?: string }) {
  const props: EarlyAccessProviderProps = { adapter, messages, notify };
  const form: SignupFormProps = { variant: 'bottom', action: '/api/signup-form', className, botGuard: false };
  const confirming: SignupFormProps = { slots: { success: <CheckInbox classNames={{ link: 'link' }} /> } };
  return (
    <EarlyAccessProvider {...props}>
      <SignupForm {...form} onOutcome={(outcome) => outcome satisfies SignupOutcome} />
      <SignupForm {...confirming} />
      <SessionTracker consent={Promise.resolve(true)} endSession="idle" />
      <AdminOverlay />
      <OwnMarkup />
    </EarlyAccessProvider>
  );
}

function OwnMarkup() {
  const { status, invalid, submit, clearError } = useSignup({ source: 'elsewhere' });
  useSessionTracker({ consent: false });
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
