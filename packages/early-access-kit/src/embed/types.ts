/** `<early-access-form>`. Attributes reflect properties: `noBotGuard` is `no-bot-guard`. */
export interface EarlyAccessFormElement extends HTMLElement {
  /** `inline` explains an invalid address, `none` blocks it silently. Default: `inline`. */
  errors: string;
  /** Where the form is on the site; stored with the signup. Default: `landing_page`. */
  source: string;
  /** The initial value of the field. */
  value: string;
  /** Shows the form but accepts no input. */
  disabled: boolean;
  /**
   * The check that the server asks for: `turnstile`, `hcaptcha` or `proof-of-work`. Nothing of it is loaded before the
   * form is used.
   */
  humanCheck: string;
  /** The public key of the site at `turnstile` or `hcaptcha`. */
  siteKey: string;
  /**
   * Offers to correct a misspelled domain below the field: "Did you mean gmail.com?" Nothing of it is loaded before the
   * form is used.
   */
  suggest: boolean;
  /** Turns off the honeypot field and the minimum fill time, which stop simple bots. */
  noBotGuard: boolean;
}

/** Attributes of the form without a property. */
interface EarlyAccessFormAttributes {
  /** The page that follows a success. Needs the script embed-success.js. */
  'success-url'?: string | undefined;
}

/** `<early-access-tracker>`: tracks the session while it is in the document. */
export interface EarlyAccessTrackerElement extends HTMLElement {
  /**
   * Without the attribute, or with `granted`, the visitor is tracked. With any other value nothing is read, stored or
   * sent.
   */
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
  /**
   * Where "Open dashboard" leads. Default: the dashboard of the server behind the API. An empty attribute removes the
   * link.
   */
  dashboardUrl: string;
}

/**
 * `<early-access-share>`: the share link of the visitor who has just signed up. Its script is loaded after embed.js.
 */
interface EarlyAccessShareElement extends HTMLElement {}

/** `<early-access-count>`: how many have joined, if the server shows it. Its script needs no other one. */
interface EarlyAccessCountElement extends HTMLElement {}

/** They are read once, when the element enters the document, and there are no properties for them. */
interface EarlyAccessCountAttributes {
  /** The text, with `{count}` where the number belongs. */
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

/**
 * Events of a form. They bubble and cross shadow roots. None contains the address, because every script on the page can
 * listen.
 */
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
 * The elements for JSX and for Svelte, with their attributes added to `Common`: the attributes that every element has
 * in your framework, such as `JSX.HTMLAttributes`. Extend your framework's `JSX.IntrinsicElements` with it, or
 * `SvelteHTMLElements`. Needs no types of React.
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

/** The elements for templates of Vue, with the attributes that every element has. Extend `GlobalComponents` with it. */
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
