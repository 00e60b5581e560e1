import { createPortal } from 'react-dom';
import { AdminShell, type LoadedPanel } from '../admin/admin-shell.tsx';
import type { HumanMessages } from '../core/messages.ts';
import type { FormFields, HumanCheck } from '../signup/form-parts.ts';
import { SignupForm } from '../signup/signup-form.tsx';
import type { SignupOutcome } from '../signup/use-signup.ts';
import { SessionTracker } from '../tracker/session-tracker.tsx';
import { defineElement, hasFlag } from './element.ts';
import type { Page } from './page.tsx';
import { applyStyles, createSheet } from './styles.ts';

/** The overlay's panel and its styles. */
interface AdminPart extends LoadedPanel {
  readonly css: string;
}

/** The human checks. */
export interface HumanPart {
  /** Prepares the check in the form's attributes; with `messages`, returns a token from it. */
  checkHuman(form: Element, page: Page, container: HTMLElement, messages?: Partial<HumanMessages>): Promise<string>;
}

export interface SuggestPart {
  /** Shows suggestions below the field in a form's shadow root. Later calls do nothing. */
  suggest(root: ShadowRoot, page: Page): void;
}

/** Parts that are loaded on demand, because most pages do not need them. */
export interface EmbedParts {
  readonly admin: AdminPart;
  readonly human: HumanPart;
  readonly suggest: SuggestPart;
}

export type LoadPart = <Name extends keyof EmbedParts>(name: Name) => Promise<EmbedParts[Name]>;

/** Defines the three elements. */
export function defineElements(page: Page, load: LoadPart): void {
  /** The check in the element's attributes, loaded when the visitor starts to use the form. */
  function lazyCheck(element: HTMLElement): HumanCheck {
    const token: HumanCheck['token'] = async (...asked) => (await load('human')).checkHuman(element, page, ...asked);
    return { token, prepare: (container) => void token(container).catch(() => {}) };
  }

  defineElement('early-access-form', page, {
    texts: ['errors', 'source', 'value', 'humanCheck', 'siteKey'],
    flags: ['disabled', 'noBotGuard', 'suggest'],
    widget(element, root) {
      root.addEventListener('focusin', () => {
        if (hasFlag(element, 'suggest'))
          load('suggest').then(
            ({ suggest }) => suggest(root, page),
            () => {},
          );
      });
      return () =>
        createPortal(
          <SignupForm
            errors={element.getAttribute('errors') === 'none' ? 'none' : undefined}
            source={element.getAttribute('source') ?? undefined}
            // Keep what the visitor typed into the fallback form before the script ran.
            defaultValue={
              element.getAttribute('value') ?? element.querySelector<HTMLInputElement>('[name=email]')?.value
            }
            fields={element.querySelector('[slot=fields]') ? slottedFields(element) : undefined}
            humanCheck={element.hasAttribute('human-check') ? lazyCheck(element) : undefined}
            disabled={hasFlag(element, 'disabled')}
            botGuard={!hasFlag(element, 'no-bot-guard')}
            slots={{ note: <slot name="note" /> }}
            onOutcome={(outcome) => dispatchOutcome(element, outcome)}
          />,
          root,
        );
    },
  });

  defineElement('early-access-tracker', page, {
    texts: ['consent', 'endSession'],
    flags: ['ignoreGpc', 'allowBots'],
    widget: (element) => () => (
      <SessionTracker
        // Any other value means no consent.
        consent={(element.getAttribute('consent') ?? GRANTED) === GRANTED}
        endSession={element.getAttribute('end-session') === 'idle' ? 'idle' : undefined}
        ignoreGpc={hasFlag(element, 'ignore-gpc')}
        allowBots={hasFlag(element, 'allow-bots')}
      />
    ),
  });

  let overlay: HTMLElement | undefined;
  defineElement('early-access-admin', page, {
    texts: ['dashboardUrl'],
    widget(element, root) {
      const loadPanel = async () => {
        const part = await load('admin');
        applyStyles(root, createSheet(part.css));
        return part;
      };
      return () => {
        // Only one overlay is active, because two would react to the same keys.
        if (!overlay?.isConnected) overlay = element;
        return (
          overlay === element &&
          createPortal(
            <AdminShell load={loadPanel} dashboardUrl={element.getAttribute('dashboard-url') ?? undefined} />,
            root,
          )
        );
      };
    },
  });
}

/** The properties that are read of inputs, selects, text areas and custom form controls. */
interface Control extends Element {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Selects only. */
  readonly selectedOptions?: Iterable<HTMLOptionElement>;
  reportValidity(): boolean;
}

/** All controls except the hidden field that marks a form sent without scripts. */
const CONTROLS = ':is([slot=fields],[slot=fields] *)[name]:not(:disabled,button,[name=fields])';
const NOT_SENT = ':disabled,:is([type=radio],[type=checkbox]):not(:checked)';

/**
 * The page's own inputs in `slot="fields"`, read as `FormData` would if they were in a form. Several values of one name
 * are joined into one text. The browser reports invalid fields; the server validates the values.
 */
function slottedFields(element: HTMLElement): FormFields {
  return {
    render({ readRef }) {
      readRef.current = () => {
        const fields: Record<string, string | true> = {};
        for (const control of element.querySelectorAll<Control>(CONTROLS)) {
          if (!control.reportValidity()) return 'invalid';
          const { name, type, selectedOptions = [control] } = control;
          for (const item of selectedOptions) {
            const { value } = item;
            if (!value || item.matches(NOT_SENT)) continue;
            const before = fields[name];
            fields[name] = before ? `${before}, ${value}` : (type === 'checkbox' && /^(on|true)$/.test(value)) || value;
          }
        }
        return fields;
      };
      return <slot name="fields" />;
    },
  };
}

const GRANTED = 'granted';

/** Dispatches the outcome of an attempt. Omits the address, because every script on the page can listen. */
function dispatchOutcome(element: HTMLElement, outcome: Exclude<SignupOutcome, 'ignored'>): void {
  const type = outcome === 'created' || outcome === 'pending' ? 'success' : outcome === 'duplicate' ? outcome : 'error';
  const detail = type === 'error' ? { reason: outcome } : null;
  // Angular and Svelte templates cannot bind a name with a colon.
  for (const name of [`early-access-${type}`, `early-access:${type}`]) {
    element.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }
}
