import type { ReactNode } from 'react';
import { RECOMMENDED_MARGIN } from '../content/product.ts';
import { RangeText } from '../content/range-text.tsx';
import { type Plate, PrintPicture } from '../print/print-picture.tsx';
import { dollars, SAMPLE } from '../sample-card/pricing.ts';

interface Step {
  readonly title: string;
  readonly text: ReactNode;
  readonly plates: readonly Plate[];
  /** The sample's figure that this step adds, above or below the horizon. */
  readonly note: { readonly place: 'above' | 'below'; readonly text: string };
}

/** Shown as progressive proofs: every step prints one more plate. */
const STEPS: readonly Step[] = [
  {
    title: 'Choose product',
    text: 'Pick the print or canvas you sell, in the size you sell it.',
    plates: ['key'],
    note: { place: 'below', text: `${SAMPLE.width}x${SAMPLE.height}` },
  },
  {
    title: 'Auto-calculate costs',
    text: 'Production, platform fees, taxes and shipping are added up for you.',
    plates: ['ink', 'key'],
    note: { place: 'above', text: dollars(SAMPLE.costCents) },
  },
  {
    title: 'Set perfect prices',
    text: (
      <>
        See the profit at every price, then choose. We recommend a margin of{' '}
        <RangeText range={RECOMMENDED_MARGIN} unit="%" />.
      </>
    ),
    plates: ['ink', 'spot'],
    note: { place: 'below', text: dollars(SAMPLE.profitCents) },
  },
];

export function HowItWorks() {
  return (
    <section id="how-it-works" className="how-it-works wrap" aria-labelledby="how-it-works-title">
      <h2 id="how-it-works-title">How It Works</h2>
      <ol className="how-it-works__list">
        {STEPS.map(({ title, text, plates, note }, index) => (
          <li key={title} className="how-it-works__step">
            <div className="how-it-works__proof cropped" aria-hidden="true">
              <div className="how-it-works__picture">
                <PrintPicture plates={plates} />
                <span className={`print-note print-note--${note.place}`}>{note.text}</span>
              </div>
            </div>
            <div className="how-it-works__words">
              <span className="how-it-works__number" aria-hidden="true">
                {index + 1}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
