import { SignupForm, useSignup } from 'early-access-kit';
import { Halftone } from '../print/halftone.tsx';
import { SIGNUP_ACTION } from '../storage.ts';

export function BottomSignup() {
  const hasJoined = useSignup().status === 'success';
  return (
    <section id="join" className="bottom-signup" aria-labelledby="bottom-signup-title">
      <Halftone className="bottom-signup__horizon" />
      <div className="wrap bottom-signup__grid">
        <h2 id="bottom-signup-title">{hasJoined ? 'You’re in' : 'Get in'} before the ink is dry.</h2>
        <div className="bottom-signup__form">
          <p>
            {hasJoined
              ? 'Know another artist who prices by hand? Tell them about PrintMargin.'
              : 'Join the early-access list, and we’ll email you when the beta is ready.'}
          </p>
          <SignupForm errors="none" action={SIGNUP_ACTION} />
        </div>
      </div>
    </section>
  );
}
