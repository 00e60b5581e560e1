import { RECOMMENDED_MARGIN } from '../content/product.ts';
import { RangeText } from '../content/range-text.tsx';
import { PrintPicture } from '../print/print-picture.tsx';
import { MarginScale } from './margin-scale.tsx';
import { dollars, percent, SAMPLE } from './pricing.ts';

/** A proof of one print with its price label. The picture is divided in the price's proportion. */
export function SampleCard() {
  return (
    <figure className="sample-card cropped">
      <div className="sample-card__picture" aria-hidden="true">
        <PrintPicture plates={['ink', 'spot']} />
        <span className="print-note print-note--above">Cost</span>
        <span className="print-note print-note--below">
          <span className="sample-card__figure">{percent(SAMPLE.margin)}</span> Profit
        </span>
        <MarginScale margin={SAMPLE.margin} />
      </div>
      <figcaption className="sample-card__label">
        <p className="sample-card__name">{SAMPLE.name}</p>
        <dl className="sample-card__figures">
          <div className="sample-card__cost">
            <dt>Cost</dt>
            <dd>{dollars(SAMPLE.costCents)}</dd>
          </div>
          <div>
            <dt>Sell price</dt>
            <dd>{dollars(SAMPLE.priceCents)}</dd>
          </div>
          <div className="sample-card__profit">
            <dt>Profit</dt>
            <dd>{dollars(SAMPLE.profitCents)}</dd>
          </div>
          <div className="sample-card__margin">
            <dt>Margin</dt>
            <dd>{percent(SAMPLE.margin)}</dd>
          </div>
          <div className="sample-card__recommended">
            <dt>Recommended margin</dt>
            <dd>
              <RangeText range={RECOMMENDED_MARGIN} unit="%" />
            </dd>
          </div>
        </dl>
      </figcaption>
      <RegistrationMark className="sample-card__mark" />
      <div className="color-bar color-bar--upright" aria-hidden="true" />
    </figure>
  );
}

/** The target by which printers align their plates. */
function RegistrationMark({ className = '' }: { className?: string }) {
  return (
    <svg className={`registration-mark ${className}`.trim()} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 0v24M0 12h24" />
      <circle cx="12" cy="12" r="7" />
    </svg>
  );
}
