import { SignupForm } from 'early-access-kit';

/** A page of the form alone, with room for what it says. Nothing but the story types here, so that nobody is taken for a bot. */
export function FormStage() {
  return (
    <main style={{ maxInlineSize: '32rem', minBlockSize: '16rem' }}>
      <SignupForm botGuard={false} />
    </main>
  );
}
