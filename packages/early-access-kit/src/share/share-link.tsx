import { useId, useRef } from 'react';
import { joinClassNames } from '../class-names.ts';
import { useEarlyAccess } from '../provider.tsx';
import { useShare } from './use-share.ts';

/** Props of `ShareLink`. All are optional. */
export interface ShareLinkProps {
  /** Your own class for the outermost element. */
  className?: string | undefined;
}

/** Prevents a line break before the number. */
const bindNumber = (text = '') => text.replace(/ (?=\S+$)/, '\u00a0');

/**
 * The link of a visitor who has just signed up, with a button to copy it and, if the browser supports it, one to share
 * it. Styled like the form. Renders nothing before the signup.
 *
 * @example
 * <EarlyAccessProvider adapter={withShare(httpAdapter())}><SignupForm /><ShareLink /></EarlyAccessProvider>
 */
export function ShareLink({ className }: ShareLinkProps) {
  const { locale } = useEarlyAccess();
  const { link, copied, copy, share } = useShare();
  const address = useRef<HTMLInputElement>(null);
  const id = useId();
  if (!link) return null;
  return (
    <section className={joinClassNames('eak-signup', className)} lang={locale} aria-labelledby={id}>
      <div className="eak-form">
        <label id={id} className="eak-form__label" htmlFor={`${id}-url`}>
          {link.title}
        </label>
        <div className="eak-form__row">
          <div className="eak-form__field">
            <input
              ref={address}
              id={`${id}-url`}
              className="eak-form__input"
              dir="ltr"
              value={link.url}
              readOnly
              aria-describedby={`${id}-hint`}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          </div>
          <button
            type="button"
            className="eak-form__button"
            onClick={async () => {
              if (!(await copy())) address.current?.focus();
            }}
          >
            {link.copy}
          </button>
          {share && (
            <button type="button" className="eak-form__button" onClick={share}>
              {link.share}
            </button>
          )}
        </div>
        <p id={`${id}-hint`} className="eak-form__hint">
          {link.hint}
        </p>
        <p className="eak-form__hint">
          {[link.friends, link.place].filter(Boolean).map(bindNumber).join(' · ')}{' '}
          <span role="status">{copied && link.copied}</span>
        </p>
      </div>
    </section>
  );
}
