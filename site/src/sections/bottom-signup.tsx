import { SignupForm } from 'early-access-kit';
import { Halftone } from '../print/halftone.tsx';
import { SIGNUP_ACTION } from '../storage.ts';

export function BottomSignup() {
  return (
    <section id="join" className="join" aria-labelledby="join-title">
      <Halftone className="join__horizon" />
      <div className="wrap join__grid">
        <h2 id="join-title">Get in before the ink is dry.</h2>
        <div className="join__form">
          <p>Join the early-access list. We will email you when the beta is ready.</p>
          <SignupForm variant="bottom" action={SIGNUP_ACTION} />
        </div>
      </div>
    </section>
  );
}
