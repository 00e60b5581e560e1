import { HOURS_BY_HAND, MINUTES_WITH, PLATFORMS, type Range, rangeText } from '../content/figures.ts';
import { MinuteDots } from './minute-dots.tsx';

const MINUTES_BY_HAND: Range = [HOURS_BY_HAND[0] * 60, HOURS_BY_HAND[1] * 60];

const CORRECTIONS = [
  ['Fees and shipping looked up one by one', 'Costs, fees, taxes and shipping calculated for you'],
  ['A guess at what is left', 'Your exact profit margin'],
  ['One platform at a time', `${PLATFORMS} platforms side by side`],
  ['Sums redone for every country', 'Any currency or region'],
] as const;

export function BeforeAfter() {
  return (
    <section id="before-vs-after" className="versus wrap" aria-labelledby="versus-title">
      <h2 id="versus-title">Before vs After</h2>
      <p className="versus__key">Pricing one product. Every dot is a minute of your day.</p>
      <div className="versus__before">
        <MinuteDots className="dots--before" minutes={MINUTES_BY_HAND} />
        <p className="versus__time">
          <span>Before, by hand</span> <strong>{`${rangeText(HOURS_BY_HAND)} hours`}</strong>
        </p>
      </div>
      <div className="versus__after">
        <MinuteDots className="dots--after" minutes={MINUTES_WITH} />
        <p className="versus__time">
          <span>After, with PrintMargin</span> <strong>{`${rangeText(MINUTES_WITH)} minutes`}</strong>
        </p>
      </div>
      <table className="corrections">
        <caption className="visually-hidden">What changes besides the time</caption>
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {CORRECTIONS.map(([before, after]) => (
            <tr key={before}>
              <td>
                <del>{before}</del>
              </td>
              <td>
                <ins>{after}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
