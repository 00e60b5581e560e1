import { SignupForm } from 'early-access-kit';
import { HOURS_BY_HAND, MINUTES_WITH, PLATFORMS } from '../content/product.ts';
import { RangeText } from '../content/range-text.tsx';
import { SampleCard } from '../sample-card/sample-card.tsx';
import { SIGNUP_ACTION } from '../storage.ts';

const NOTE = <p className="hero__note">The calculator isn’t out yet. Join, and we’ll email you when it’s ready.</p>;

export function Hero() {
  return (
    <section className="hero wrap" aria-labelledby="hero-title">
      <div className="hero__words">
        <h1 id="hero-title" className="hero__title">
          Know your <span className="hero__plate">margin</span> before you print.
        </h1>
        <p className="hero__lede">
          PrintMargin is a profit and pricing calculator for artists who sell prints and canvas on demand. Pricing a
          product takes <RangeText range={MINUTES_WITH} /> minutes, not <RangeText range={HOURS_BY_HAND} /> hours by
          hand.
        </p>
        <ul className="hero__benefits">
          <li>Costs, platform fees, taxes and shipping, calculated automatically</li>
          <li>Exact profit margins on everything you sell</li>
          <li>{`${PLATFORMS} print-on-demand platforms compared, in any currency or region`}</li>
        </ul>
        <div className="hero__form">
          <SignupForm action={SIGNUP_ACTION} slots={{ note: NOTE }} />
        </div>
      </div>
      <SampleCard />
    </section>
  );
}
