import { checkSiteKey, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import type { HumanCheck } from '../signup/form-parts.ts';
import { loadScript } from './load-script.ts';
import { runWidget } from './run-widget.ts';

/** The part of hCaptcha's API that is used: https://docs.hcaptcha.com/configuration */
interface HcaptchaApi {
  render(container: HTMLElement, parameters: Readonly<Record<string, unknown>>): string;
  execute(widget: string, options: { readonly async: true }): Promise<{ readonly response: string }>;
  remove(widget: string): void;
}

/** The site's key at hCaptcha, and the look of the check. */
export interface HcaptchaOptions {
  /** The public key of the site. The secret one belongs on the server. */
  readonly siteKey: string;
  /** More parameters of `hcaptcha.render`, such as `theme` or `hl`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * hCaptcha, invisible. Its script is loaded when the visitor begins to use the form. If it has to ask something, it
 * opens its own dialog; an attempt whose dialog is closed fails. Create it once, outside the component; several forms
 * can share it.
 *
 * @example
 * const humanCheck = hcaptcha({ siteKey: '10000000-ffff-…' });
 * <SignupForm humanCheck={humanCheck} />
 */
export function hcaptcha({ siteKey, parameters, ...unknown }: HcaptchaOptions): HumanCheck {
  try {
    if (process.env.NODE_ENV !== 'production') {
      refuseUnknown('hcaptcha', unknown);
      checkSiteKey('hcaptcha', siteKey);
    }
  } catch (error) {
    rethrowMistake(error);
  }
  const load = () =>
    loadScript('hcaptcha', 'https://js.hcaptcha.com/1/api.js', () => {
      const host: Window & { readonly hcaptcha?: HcaptchaApi } = window;
      return host.hcaptcha;
    });
  return {
    prepare: () => void load().catch(() => undefined),
    async token(container, messages = {}) {
      const api = await load();
      return runWidget(container, messages, (box, { pass, fail, waits }) => {
        const widget = api.render(box, { ...parameters, sitekey: siteKey, size: 'invisible', 'open-callback': waits });
        api.execute(widget, { async: true }).then(({ response }) => pass(response), fail);
        return () => api.remove(widget);
      });
    },
  };
}
