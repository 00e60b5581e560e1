import { checkSiteKey, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import type { HumanCheck } from '../signup/form-parts.ts';
import { loadScript } from './load-script.ts';
import { runWidget } from './run-widget.ts';

/** The subset of hCaptcha's API that is used: https://docs.hcaptcha.com/configuration */
interface HcaptchaApi {
  render(container: HTMLElement, parameters: Readonly<Record<string, unknown>>): string;
  execute(widget: string, options: { readonly async: true }): Promise<{ readonly response: string }>;
  remove(widget: string): void;
}

/** Options of `hcaptcha`. */
export interface HcaptchaOptions {
  /** The site's public key. The secret one belongs on the server. */
  readonly siteKey: string;
  /** Additional parameters of `hcaptcha.render`, such as `theme` or `hl`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Invisible hCaptcha. Its script is loaded when the visitor starts to use the form. If a question is required, it is
 * shown in hCaptcha's own dialog; closing it fails the attempt. Create the check once, outside the component; several
 * forms can share it.
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
