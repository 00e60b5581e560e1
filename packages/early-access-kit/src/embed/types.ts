/** `<early-access-form>`. Attributes reflect properties: `noBotGuard` is `no-bot-guard`. */
export interface EarlyAccessFormElement extends HTMLElement {
  /** `inline` explains an invalid address, `none` blocks it silently. Default: `inline`. */
  errors: string;
  /** The form's place on the site; stored with the signup. Default: `landing_page`. */
  source: string;
  /** The initial value of the field. */
  value: string;
  /** Shows the form but accepts no input. */
  disabled: boolean;
  /**
   * The human check that the server requires: `turnstile`, `hcaptcha` or `proof-of-work`. Its code is loaded when the
   * form is used.
   */
  humanCheck: string;
  /** The site's public key for `turnstile` or `hcaptcha`. */
  siteKey: string;
  /**
   * Offers to correct a misspelled domain below the field: "Did you mean gmail.com?" Its code is loaded when the form
   * is used.
   */
  suggest: boolean;
  /** Turns off the honeypot field and the minimum fill time, which stop simple bots. */
  noBotGuard: boolean;
}

/** Attributes of the form that have no property. */
interface EarlyAccessFormAttributes {
  /** The page to open after a success. Requires the script embed-success.js. */
  'success-url'?: string | undefined;
}

/** `<early-access-tracker>`: tracks the session while it is in the document. */
export interface EarlyAccessTrackerElement extends HTMLElement {
  /** The visitor is tracked if it is missing or `granted`. With any other value, nothing is read, stored or sent. */
  consent: string;
  /** When the stored session ends: `unload` (default) or `idle`. */
  endSession: string;
  /** Also tracks browsers that send Global Privacy Control. */
  ignoreGpc: boolean;
  /** Also tracks automated browsers and crawlers. */
  allowBots: boolean;
}

/** `<early-access-admin>`: the admin overlay. */
export interface EarlyAccessAdminElement extends HTMLElement {
  /** The target of "Open dashboard". Default: the dashboard of the server behind the API. Empty: no link. */
  dashboardUrl: string;
}

/** `<early-access-share>`: the share link of a visitor who has just signed up. Its script is loaded after embed.js. */
interface EarlyAccessShareElement extends HTMLElement {}

/**
 * `<early-access-count>`: the number of people who have joined, if the server provides it. Its script works on its own.
 */
interface EarlyAccessCountElement extends HTMLElement {}

/** Attributes without properties. They are read once, when the element enters the document. */
interface EarlyAccessCountAttributes {
  /** The text, with `{count}` in place of the number. */
  text?: string | undefined;
  /** The text for numbers of the plural category `zero`. */
  'text-zero'?: string | undefined;
  /** The text for numbers of the plural category `one`. */
  'text-one'?: string | undefined;
  /** The text for numbers of the plural category `two`. */
  'text-two'?: string | undefined;
  /** The text for numbers of the plural category `few`. */
  'text-few'?: string | undefined;
  /** The text for numbers of the plural category `many`. */
  'text-many'?: string | undefined;
}

/** The `detail` of the event `early-access-error`. */
export interface EarlyAccessErrorDetail {
  /**
   * `invalid`: the address is not a valid email address. `failed`: the store could not be reached or rejected the
   * signup.
   */
  readonly reason: 'invalid' | 'failed';
}

/** Events of a form. They bubble and cross shadow roots. None contains the address, because any script can listen. */
interface EarlyAccessEvents {
  'early-access-success': CustomEvent<null>;
  'early-access-duplicate': CustomEvent<null>;
  'early-access-error': CustomEvent<EarlyAccessErrorDetail>;
  /** The same events under the names with a colon, which some frameworks cannot bind. */
  'early-access:success': CustomEvent<null>;
  'early-access:duplicate': CustomEvent<null>;
  'early-access:error': CustomEvent<EarlyAccessErrorDetail>;
}

/** `endSession` becomes `end-session`. */
type AttributeName<Property extends string> = Property extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${AttributeName<Rest>}`
  : '';

type Attributes<Element extends HTMLElement> = {
  [Property in Exclude<keyof Element, keyof HTMLElement> & string as AttributeName<Property>]?:
    | Element[Property]
    | undefined;
};

/** Listeners as attributes: `onearly-access-success`. */
type Listeners = {
  [Name in keyof EarlyAccessEvents as Name extends `${string}:${string}` ? never : `on${Name}`]?:
    | ((event: EarlyAccessEvents[Name]) => void)
    | undefined;
};

/**
 * The elements for JSX and Svelte. `Common` are the attributes that every element has in your framework, such as
 * `JSX.HTMLAttributes`. Extend your framework's `JSX.IntrinsicElements` or `SvelteHTMLElements` with it. Does not
 * require React's types.
 */
export interface EarlyAccessElements<Common> {
  'early-access-form': Common & Attributes<EarlyAccessFormElement> & EarlyAccessFormAttributes & Listeners;
  'early-access-tracker': Common & Attributes<EarlyAccessTrackerElement>;
  'early-access-admin': Common & Attributes<EarlyAccessAdminElement>;
  'early-access-share': Common;
  'early-access-count': Common & EarlyAccessCountAttributes;
}

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** `end-session` becomes `endSession`, and `onearly-access-error` becomes `onEarlyAccessError`. */
type PropName<Attribute> = Attribute extends `onearly-${infer Event}`
  ? `onEarly${Capitalize<CamelCase<Event> & string>}`
  : CamelCase<Attribute>;

/** The elements for Vue templates, with the attributes that every element has. Extend `GlobalComponents` with it. */
export type EarlyAccessComponents<Common> = {
  [Tag in keyof EarlyAccessElements<unknown>]: new () => {
    $props: Common & {
      [Attribute in keyof EarlyAccessElements<unknown>[Tag] as PropName<Attribute> &
        string]: EarlyAccessElements<unknown>[Tag][Attribute];
    };
  };
};

declare global {
  interface HTMLElementTagNameMap {
    'early-access-form': EarlyAccessFormElement;
    'early-access-tracker': EarlyAccessTrackerElement;
    'early-access-admin': EarlyAccessAdminElement;
    'early-access-share': EarlyAccessShareElement;
    'early-access-count': EarlyAccessCountElement;
  }
  interface HTMLElementEventMap extends EarlyAccessEvents {}
  interface DocumentEventMap extends EarlyAccessEvents {}
}
