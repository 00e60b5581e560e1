import {
  AdminOverlay,
  type EarlyAccess,
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
  useEarlyAccess,
  useSessionTracker,
  useSignup,
} from 'early-access-kit';

const messages: Partial<Messages> = { submit: 'Count me in' };
const notify: Notify = ({ kind, text }) => document.title.concat(kind, text);

export function Page({ adapter, className }: { adapter: StorageAdapter; className?: string }) {
  const props: EarlyAccessProviderProps = { adapter, messages, notify };
  const form: SignupFormProps = { variant: 'bottom', action: '/api/signup-form', className, botGuard: false };
  return (
    <EarlyAccessProvider {...props}>
      <SignupForm {...form} onOutcome={(outcome) => outcome satisfies SignupOutcome} />
      <SessionTracker consent={Promise.resolve(true)} endSession="idle" />
      <AdminOverlay />
      <OwnMarkup />
    </EarlyAccessProvider>
  );
}

function OwnMarkup() {
  const { session }: EarlyAccess = useEarlyAccess();
  const { status, invalid, submit, edited } = useSignup({ source: 'elsewhere' });
  useSessionTracker({ consent: false });
  const email: EmailSignup['email'] = 'ada@example.org';
  return (
    <button type="button" disabled={status === 'submitting' || invalid} onClick={() => submit(email)} onBlur={edited}>
      {session.current}
    </button>
  );
}
