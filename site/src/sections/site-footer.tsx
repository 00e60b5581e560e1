import { SITE_NAME } from '../content/site.ts';
import { USES_APP_CHECK } from '../storage.ts';

export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="wrap site-footer__grid">
        <p className="site-footer__copyright">© 2025 {SITE_NAME}</p>
        <details className="site-footer__privacy">
          <summary>Privacy, in short</summary>
          <p>
            If you join, we keep your email address, when you joined, and the visit you joined in, in order to write to
            you about the beta. The link at the foot of the welcome email has them deleted.
          </p>
          <p>
            Visits are counted without a name: the page you came from, your time here, scrolling and clicks, your kind
            of device, browser and system, and a hash of browser, language, time zone and screen, which tells a second
            visit from a first. Your browser keeps a note of it in its local storage.
          </p>
          <p>
            {USES_APP_CHECK
              ? 'No advertising. Google’s reCAPTCHA looks at each visit, to keep robots out; it may set a cookie.'
              : 'No cookies, no third parties, no advertising.'}{' '}
            Where Global Privacy Control is on, visits are not counted at all.
          </p>
        </details>
        <div className="colour-bar" aria-hidden="true" />
      </div>
    </footer>
  );
}
