import { hcaptcha } from '../human/hcaptcha.ts';
import { proofOfWork } from '../human/proof-of-work.ts';
import { turnstile } from '../human/turnstile.ts';
import type { HumanCheck } from '../signup/form-parts.ts';
import type { HumanPart } from './elements.tsx';

const CHECKS: ReadonlyMap<string | null, (siteKey: string, endpoint: string | undefined) => HumanCheck> = new Map([
  ['turnstile', (siteKey) => turnstile({ siteKey })],
  ['hcaptcha', (siteKey) => hcaptcha({ siteKey })],
  ['proof-of-work', (_siteKey, endpoint) => proofOfWork({ endpoint })],
]);

/** Keyed by the attributes that checks depend on: forms with the same attributes share one check. */
const made = new Map<string, HumanCheck>();

/** Throws if the form's attributes do not name a known check. */
function createCheck(form: Element, endpoint: string | undefined): HumanCheck {
  const kind = form.getAttribute('human-check');
  const siteKey = form.getAttribute('site-key') ?? '';
  const key = JSON.stringify([kind, siteKey, endpoint]);
  const make = CHECKS.get(kind);
  if (make === undefined) {
    throw new TypeError(`early-access-kit: human-check must be one of ${[...CHECKS.keys()].join(', ')}`);
  }
  const check = made.get(key) ?? make(siteKey, endpoint);
  made.set(key, check);
  return check;
}

export const checkHuman: HumanPart['checkHuman'] = async (form, page, container, messages) => {
  const check = createCheck(form, page.settings().adapter.endpoint);
  if (messages) return check.token(container, messages);
  check.prepare?.(container);
  return '';
};
