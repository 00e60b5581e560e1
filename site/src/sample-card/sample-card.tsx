import { RECOMMENDED_MARGIN, rangeText } from '../content/figures.ts';
import { PrintPicture } from '../print/print-picture.tsx';
import { RegistrationMark } from '../print/registration-mark.tsx';
import { MarginScale } from './margin-scale.tsx';
import { dollars, percent } from './pricing.ts';
import { SAMPLE } from './sample.ts';

/** A proof of one print with its price label: the picture is divided as the price is. */
export function SampleCard() {
  return (
    <figure className="proof cropped">
      <div className="proof__picture" aria-hidden="true">
        <PrintPicture plates={['ink', 'spot']} />
        <span className="print-note print-note--above">Cost</span>
        <span className="print-note print-note--below">
          <span className="proof__margin">{percent(SAMPLE.margin)}</span> Profit
        </span>
        <MarginScale margin={SAMPLE.margin} />
      </div>
      <figcaption className="label">
        <p className="label__name">{SAMPLE.name}</p>
        <dl className="label__figures">
          <div className="label__cost">
            <dt>Cost</dt>
            <dd>{dollars(SAMPLE.costCents)}</dd>
          </div>
          <div>
            <dt>Sell price</dt>
            <dd>{dollars(SAMPLE.priceCents)}</dd>
          </div>
          <div className="label__profit">
            <dt>Profit</dt>
            <dd>{dollars(SAMPLE.profitCents)}</dd>
          </div>
          <div className="label__margin">
            <dt>Margin</dt>
            <dd>{percent(SAMPLE.margin)}</dd>
          </div>
          <div className="label__recommended">
            <dt>Recommended margin</dt>
            <dd>{`${rangeText(RECOMMENDED_MARGIN)}%`}</dd>
          </div>
        </dl>
      </figcaption>
      <RegistrationMark className="proof__mark" />
      <div className="colour-bar colour-bar--upright" aria-hidden="true" />
    </figure>
  );
}
