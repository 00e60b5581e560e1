/** `<early-access-form>`. Properties and attributes are the same: `noBotGuard` is `no-bot-guard`. */
export interface EarlyAccessFormElement extends HTMLElement {
  /** `hero` explains an invalid address, `bottom` blocks it silently. `hero` unless set. */
  variant: string;
  /** Where the form stands, kept with the sign-up; `landing_page` unless set. */
  source: string;
  /** What stands in the field at first. */
  value: string;
  /** The form is shown, and takes nothing. */
  disabled: boolean;
  /** Turns off the invisible field and the minimum fill time that keep simple bots out. */
  noBotGuard: boolean;
}

/** `<early-access-tracker>`: tracks the visit while it stands in the page. */
export interface EarlyAccessTrackerElement extends HTMLElement {
  /** Without the attribute, or with `granted`, the visitor is tracked; with any other word nothing is read, stored or sent. */
  consent: string;
  /** When the stored visit ends: `unload`, which it is unless set, or `idle`. */
  endSession: string;
  /** Tracks browsers that send Global Privacy Control too. */
  ignoreGpc: boolean;
  /** Tracks automated browsers and crawlers too. */
  allowBots: boolean;
}

export interface EarlyAccessErrorDetail {
  /** `invalid`: the address was refused for its form. `failed`: the store could not be reached, or refused. */
  readonly reason: 'invalid' | 'failed';
}

/** Events of a form. They bubble and cross shadow roots; none tells the address, because every script of the page may listen. */
interface EarlyAccessEvents {
  'early-access:success': CustomEvent<null>;
  'early-access:duplicate': CustomEvent<null>;
  'early-access:error': CustomEvent<EarlyAccessErrorDetail>;
}

declare global {
  interface HTMLElementTagNameMap {
    'early-access-form': EarlyAccessFormElement;
    'early-access-tracker': EarlyAccessTrackerElement;
    'early-access-admin': HTMLElement;
  }
  interface HTMLElementEventMap extends EarlyAccessEvents {}
  interface DocumentEventMap extends EarlyAccessEvents {}
}
