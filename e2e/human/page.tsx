import { EarlyAccessProvider, type HumanCheck, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { hcaptcha } from 'early-access-kit/human/hcaptcha';
import { proofOfWork } from 'early-access-kit/human/proof-of-work';
import { turnstile } from 'early-access-kit/human/turnstile';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('page') ?? document.body;
const { check = '', api, token = '' } = root.dataset;

const CHECKS: Readonly<Record<string, HumanCheck>> = {
  turnstile: turnstile({ siteKey: 'site-key' }),
  hcaptcha: hcaptcha({ siteKey: 'site-key' }),
  'proof-of-work': proofOfWork({ endpoint: api }),
  // A bot that bypasses the check sends its own token.
  given: { token: async () => token },
};

/** A host's page with two forms that share a check. */
createRoot(root).render(
  <EarlyAccessProvider adapter={httpAdapter({ endpoint: api })}>
    <SignupForm humanCheck={CHECKS[check]} />
    <SignupForm errors="none" humanCheck={CHECKS[check]} />
  </EarlyAccessProvider>,
);
