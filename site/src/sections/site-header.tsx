import { SITE_NAME } from '../content/product.ts';

export function SiteHeader() {
  return (
    <header className="site-header wrap">
      <a className="site-header__brand" href="/">
        <svg className="site-header__mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path className="site-header__crops" d="M8 0v5M24 0v5M8 27v5M24 27v5M0 8h5M0 24h5M27 8h5M27 24h5" />
          <path className="site-header__sheet" d="M8 8h16v16H8z" />
        </svg>
        {SITE_NAME}
      </a>
      <nav className="site-header__nav" aria-label="On this page">
        <a href="#how-it-works">How it works</a>
        <a href="#benefits">Benefits</a>
        <a href="#before-vs-after">Before vs after</a>
        <a className="site-header__join" href="#join">
          Join the beta
        </a>
      </nav>
    </header>
  );
}
