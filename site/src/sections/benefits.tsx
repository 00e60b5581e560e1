import { HOURS_BY_HAND, MINUTES_WITH, PLATFORMS } from '../content/product.ts';
import { RangeText } from '../content/range-text.tsx';
import { dollars, SAMPLE } from '../sample-card/pricing.ts';

const BENEFITS = [
  {
    figure: dollars(SAMPLE.profitCents),
    title: 'Exact net profit',
    text: 'What you keep from every sale, to the cent, after costs, platform fees, taxes and shipping.',
  },
  {
    figure: PLATFORMS,
    title: 'Compare platforms',
    text: 'See the same print on every platform side by side, and sell where you keep the most.',
  },
  {
    figure: <RangeText range={MINUTES_WITH} unit=" min" />,
    title: 'Launch in minutes',
    text: (
      <>
        Go from file to finished price while the idea is fresh, instead of spending <RangeText range={HOURS_BY_HAND} />{' '}
        hours on spreadsheets.
      </>
    ),
  },
  {
    figure: '$ € £ ¥',
    title: 'Any currency or region',
    text: 'Set prices for where your buyers live, in the currency they pay with.',
  },
] as const;

export function Benefits() {
  return (
    <section id="benefits" className="benefits" aria-labelledby="benefits-title">
      <div className="wrap benefits__grid">
        <h2 id="benefits-title">Benefits you can count.</h2>
        <ul className="benefits__list">
          {BENEFITS.map(({ figure, title, text }) => (
            <li key={title} className="benefits__row">
              <span className="benefits__figure">{figure}</span>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
