import { useEffect } from 'react';
import { PrintPicture } from '../print/print-picture.tsx';

export function NotFoundPage() {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the log of unknown paths is a feature of this page
    console.error(`404: no page at ${location.pathname}`);
  }, []);
  return (
    <main className="not-found-page wrap">
      <div className="not-found-page__code" aria-hidden="true">
        4
        <div className="not-found-page__print cropped">
          <PrintPicture plates={['key']} />
        </div>
        4
      </div>
      <h1>Oops! Page not found</h1>
      <p>Nothing is printed at this address.</p>
      <a className="not-found-page__home" href="/">
        Return to Home
      </a>
    </main>
  );
}
