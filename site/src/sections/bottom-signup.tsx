import { SignupForm, useSignup } from 'early-access-kit';
import { Halftone } from '../print/halftone.tsx';
import { SIGNUP_ACTION } from '../storage.ts';

const JOIN = ['Get in', 'Join the early-access list, and we’ll email you when the beta is ready.'];
/** Shown until the address is confirmed, because it is not on the list yet. */
const CONFIRM = ['One click to go', 'Confirm your address, and we’ll email you when the beta is ready.'];
const JOINED = ['You’re in', 'That’s all you need to do.'];

export function BottomSignup() {
  const { status, inbox } = useSignup();
  const [title, text] = inbox ? CONFIRM : status === 'success' ? JOINED : JOIN;
  return (
    <section id="join" className="bottom-signup" aria-labelledby="bottom-signup-title">
      <Halftone className="bottom-signup__horizon" />
      <div className="wrap bottom-signup__grid">
        <h2 id="bottom-signup-title">{title} before the ink is dry.</h2>
        <div className="bottom-signup__form">
          <p>{text}</p>
          <SignupForm errors="none" action={SIGNUP_ACTION} />
        </div>
      </div>
    </section>
  );
}
