import { SignupForm } from 'early-access-kit';

/** A page with only the form and room for its messages. The bot guard is off, because only the story types here. */
export function FormStage() {
  return (
    <main style={{ maxInlineSize: '32rem', minBlockSize: '16rem' }}>
      <SignupForm botGuard={false} />
    </main>
  );
}
