import { SITE_NAME } from '../content/product.ts';
import { USES_APP_CHECK } from '../storage.ts';

export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="wrap site-footer__grid">
        <p className="site-footer__copyright">© 2025 {SITE_NAME}</p>
        <details className="site-footer__privacy">
          <summary>Privacy, in short</summary>
          <p>
            If you join, we store your email address, when you joined and the visit you joined from, so that we can
            email you about the beta. To have them deleted, use the link at the bottom of the welcome email.
          </p>
          <p>
            Visits are counted anonymously: the page you came from, how long you stay, scrolling and clicks, your type
            of device, browser and operating system, and a hash of browser, language, time zone and screen, which
            recognizes a returning visitor. Your browser remembers your visits in its local storage.
          </p>
          <p>
            {USES_APP_CHECK
              ? 'No advertising. Google’s reCAPTCHA checks each visit to keep bots out; it may set a cookie.'
              : 'No cookies, no third parties, no advertising.'}{' '}
            If Global Privacy Control is on, your visits are not counted at all.
          </p>
        </details>
        <div className="color-bar" aria-hidden="true" />
      </div>
    </footer>
  );
}
