import { checkSiteKey, refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import type { HumanCheck } from '../signup/form-parts.ts';
import { loadScript } from './load-script.ts';
import { runWidget } from './run-widget.ts';

/**
 * The part of Turnstile's API that is used:
 * https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
 */
interface TurnstileApi {
  render(container: HTMLElement, parameters: Readonly<Record<string, unknown>>): string | null | undefined;
  execute(widget: string): void;
  remove(widget: string): void;
}

/** The site's key at Cloudflare, and the look of the check. */
export interface TurnstileOptions {
  /** The public key of the site. The secret one belongs on the server. */
  readonly siteKey: string;
  /** More parameters of `turnstile.render`, such as `theme`, `language` or `action`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** The narrowest column that fits the normal widget. */
const NORMAL_WIDTH = 300;

/**
 * Cloudflare Turnstile. Its script is loaded when the visitor begins to use the form. It asks the visitor something
 * only if it has to, below the button. Create it once, outside the component; several forms can share it.
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
          // Otherwise it adds an input to the form.
          'response-field': false,
          retry: 'never',
          callback: pass,
          'before-interactive-callback': asks,
          'error-callback'(code: unknown) {
            fail(code);
            // Reported as a failure of the form, not once more in the console.
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
