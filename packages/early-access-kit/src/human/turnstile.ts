import { checkSiteKey, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import type { HumanCheck } from '../signup/form-parts.ts';
import { loadScript } from './load-script.ts';
import { runWidget } from './run-widget.ts';

/**
 * The subset of Turnstile's API that is used:
 * https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
 */
interface TurnstileApi {
  render(container: HTMLElement, parameters: Readonly<Record<string, unknown>>): string | null | undefined;
  execute(widget: string): void;
  remove(widget: string): void;
}

/** Options of `turnstile`. */
export interface TurnstileOptions {
  /** The site's public key. The secret one belongs on the server. */
  readonly siteKey: string;
  /** Additional parameters of `turnstile.render`, such as `theme`, `language` or `action`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** The narrowest column that fits the normal widget. */
const NORMAL_WIDTH = 300;

/**
 * Cloudflare Turnstile. Its script is loaded when the visitor starts to use the form. A question only appears if one is
 * required, below the button. Create the check once, outside the component; several forms can share it.
 *
 * @example
 * const humanCheck = turnstile({ siteKey: '0x4AAA…' });
 * <SignupForm humanCheck={humanCheck} />
 */
export function turnstile({ siteKey, parameters, ...unknown }: TurnstileOptions): HumanCheck {
  try {
    if (process.env.NODE_ENV !== 'production') {
      refuseUnknown('turnstile', unknown);
      checkSiteKey('turnstile', siteKey);
    }
  } catch (error) {
    rethrowMistake(error);
  }
  const load = () =>
    loadScript('turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js', () => {
      const host: Window & { readonly turnstile?: TurnstileApi } = window;
      return host.turnstile;
    });
  return {
    prepare: () => void load().catch(() => undefined),
    async token(container, messages = {}) {
      const api = await load();
      return runWidget(container, messages, (box, { pass, fail, asks }) => {
        const width = container.parentElement?.clientWidth ?? NORMAL_WIDTH;
        const widget = api.render(box, {
          size: width < NORMAL_WIDTH ? 'compact' : 'flexible',
          ...parameters,
          sitekey: siteKey,
          appearance: 'interaction-only',
          execution: 'execute',
          // The default adds an input to the form.
          'response-field': false,
          retry: 'never',
          callback: pass,
          'before-interactive-callback': asks,
          'error-callback'(code: unknown) {
            fail(code);
            // The form reports the failure, so Turnstile should not log it as well.
            return true;
          },
          'unsupported-callback': () => fail('this browser is not supported'),
        });
        if (!widget) {
          fail('it cannot be rendered');
          return () => undefined;
        }
        api.execute(widget);
        return () => api.remove(widget);
      });
    },
  };
}
