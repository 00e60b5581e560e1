import { createPortal } from 'react-dom';
import { AdminShell, type LoadedPanel } from '../admin/admin-shell.tsx';
import type { FormFields } from '../signup/form-parts.ts';
import { SignupForm } from '../signup/signup-form.tsx';
import type { SignupOutcome } from '../signup/use-signup.ts';
import { SessionTracker } from '../tracker/session-tracker.tsx';
import { defineElement } from './element.ts';
import type { Page } from './page.tsx';
import { applyStyles, createSheet } from './styles.ts';

/** The overlay's panel and its styles. */
export interface AdminPart extends LoadedPanel {
  readonly css: string;
}

/** Defines the three elements. */
export function defineElements(page: Page, loadAdmin: () => Promise<AdminPart>): void {
  defineElement('early-access-form', page, {
    texts: ['variant', 'source', 'value'],
    flags: ['disabled', 'noBotGuard'],
    widget: (element, root) => () =>
      createPortal(
        <SignupForm
          variant={element.getAttribute('variant') === 'bottom' ? 'bottom' : 'hero'}
          source={element.getAttribute('source') ?? undefined}
          // Keep what the visitor typed into the fallback form before the script ran.
          defaultValue={element.getAttribute('value') ?? element.querySelector('input')?.value}
          fields={element.querySelector('[slot=fields]') ? slottedFields(element) : undefined}
          disabled={element.hasAttribute('disabled')}
          botGuard={!element.hasAttribute('no-bot-guard')}
          onOutcome={(outcome) => dispatchOutcome(element, outcome)}
        />,
        root,
      ),
  });

  defineElement('early-access-tracker', page, {
    texts: ['consent', 'endSession'],
    flags: ['ignoreGpc', 'allowBots'],
    widget: (element) => () => (
      <SessionTracker
        // Any other value means no consent.
        consent={(element.getAttribute('consent') ?? GRANTED) === GRANTED}
        endSession={element.getAttribute('end-session') === 'idle' ? 'idle' : 'unload'}
        ignoreGpc={element.hasAttribute('ignore-gpc')}
        allowBots={element.hasAttribute('allow-bots')}
      />
    ),
  });

  let overlay: HTMLElement | undefined;
  defineElement('early-access-admin', page, {
    texts: ['dashboardUrl'],
    widget(element, root) {
      const load = async () => {
        const part = await loadAdmin();
        applyStyles(root, createSheet(part.css));
        return part;
      };
      return () => {
        // A page has one overlay, because two would react to the same keys.
        if (!overlay?.isConnected) overlay = element;
        return (
          overlay === element &&
          createPortal(
            <AdminShell load={load} dashboardUrl={element.getAttribute('dashboard-url') ?? undefined} />,
            root,
          )
        );
      };
    },
  });
}

/** The page's own inputs in `slot="fields"`. The browser explains what is invalid; the server decides. */
function slottedFields(element: HTMLElement): FormFields {
  return {
    render({ readRef }) {
      readRef.current = () => {
        const fields: Record<string, string | true> = {};
        for (const input of element.querySelectorAll<HTMLInputElement>('[slot=fields] [name]')) {
          if (!input.reportValidity()) return null;
          const { name, type, checked, value } = input;
          if (type === 'checkbox' ? checked : value) fields[name] = /^(on|true)$/.test(value) || value;
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
  const type = outcome === 'created' ? 'success' : outcome === 'duplicate' ? outcome : 'error';
  const detail = type === 'error' ? { reason: outcome } : null;
  element.dispatchEvent(new CustomEvent(`early-access:${type}`, { bubbles: true, composed: true, detail }));
}
