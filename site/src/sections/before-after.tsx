import { HOURS_BY_HAND, MINUTES_WITH, PLATFORMS, type Range } from '../content/product.ts';
import { RangeText } from '../content/range-text.tsx';
import { DaySheet } from '../day/day-sheet.tsx';

const MINUTES_BY_HAND: Range = [HOURS_BY_HAND[0] * 60, HOURS_BY_HAND[1] * 60];

const CORRECTIONS = [
  ['Looking up fees and shipping one by one', 'Costs, fees, taxes and shipping calculated for you'],
  ['Guessing what is left', 'Your exact profit margin'],
  ['One platform at a time', `${PLATFORMS} platforms side by side`],
  ['Redoing the math for every country', 'Any currency or region'],
] as const;

export function BeforeAfter() {
  return (
    <section id="before-vs-after" className="before-after wrap" aria-labelledby="before-after-title">
      <h2 id="before-after-title">Before vs After</h2>
      <p className="before-after__key">
        Pricing one product: each dot is a minute, and the minutes you save become the picture.
      </p>
      <div className="before-after__sheets">
        <div className="before-after__side">
          <div className="before-after__sheet cropped">
            <DaySheet spent={MINUTES_BY_HAND} />
          </div>
          <p className="before-after__time">
            <strong>
              <RangeText range={HOURS_BY_HAND} /> hours
            </strong>{' '}
            Before, by hand
          </p>
        </div>
        <div className="before-after__side before-after__side--after">
          <div className="before-after__sheet cropped">
            <DaySheet spent={MINUTES_WITH} />
          </div>
          <p className="before-after__time">
            <strong>
              <RangeText range={MINUTES_WITH} /> minutes
            </strong>{' '}
            After, with PrintMargin
          </p>
        </div>
      </div>
      <table className="before-after__table">
        <caption className="visually-hidden">What changes besides the time</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Before</span>
            </th>
            <th scope="col">
              <span className="visually-hidden">After</span>
            </th>
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
