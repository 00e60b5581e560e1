import { AdminOverlay, EarlyAccessProvider, SessionTracker } from 'early-access-kit';
import type { StorageAdapter } from 'early-access-kit/core';
import { BeforeAfter } from '../sections/before-after.tsx';
import { Benefits } from '../sections/benefits.tsx';
import { BottomSignup } from '../sections/bottom-signup.tsx';
import { Hero } from '../sections/hero.tsx';
import { HowItWorks } from '../sections/how-it-works.tsx';
import { SiteFooter } from '../sections/site-footer.tsx';
import { SiteHeader } from '../sections/site-header.tsx';
import { storage } from '../storage.ts';

export interface LandingPageProps {
  /** Replaces the adapter chosen by the build. */
  adapter?: StorageAdapter | undefined;
}

export function LandingPage({ adapter = storage }: LandingPageProps) {
  return (
    <EarlyAccessProvider adapter={adapter} shareSuccess>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Hero />
        <HowItWorks />
        <Benefits />
        <BeforeAfter />
        <BottomSignup />
      </main>
      <SiteFooter />
      <SessionTracker />
      <AdminOverlay dashboardUrl="/admin" />
    </EarlyAccessProvider>
  );
}
