import { StorageError } from '../core/errors.ts';
import type { HumanMessages } from '../core/messages.ts';
import { englishHumanMessages } from './human-messages.ts';

/** How long a widget may work without a question. Once it asks, the visitor has unlimited time. */
const DEADLINE_MS = 20_000;

/** Events that a provider's widget reports. */
export interface WidgetEvents {
  pass(token: string): void;
  /** The next attempt starts a new widget. */
  fail(reason: unknown): void;
  /** The widget waits for the visitor in its own dialog. */
  waits(): void;
  /** The widget asks the visitor in the box, which is then shown and focused. */
  asks(): void;
}

let widgets = 0;

/**
 * Runs a provider's widget in a new box in the container, once: a token is only valid once, so nothing is reused. The
 * box is removed when the widget ends or fails, and when the container leaves the document. `start` returns a function
 * that removes the widget.
 */
export async function runWidget(
  container: HTMLElement,
  messages: Partial<HumanMessages>,
  start: (box: HTMLElement, events: WidgetEvents) => () => void,
): Promise<string> {
  const { box, removeBox } = addBox(container);
  const ends: (() => void)[] = [removeBox];
  try {
    return await new Promise((pass, reject) => {
      const fail = (cause: unknown) =>
        reject(new StorageError('unavailable', 'the human check did not pass', { cause }));
      const timer = setTimeout(fail, DEADLINE_MS, 'it took too long');
      const waits = () => clearTimeout(timer);
      ends.push(
        waits,
        whenRemoved(container, () => fail('its form was removed')),
      );
      const remove = start(box, {
        pass,
        fail,
        waits,
        asks() {
          waits();
          container.toggleAttribute('data-asks', true);
          ends.push(() => container.removeAttribute('data-asks'));
          box.role = 'group';
          box.ariaLabel = messages.confirmHuman ?? englishHumanMessages.confirmHuman;
          // The focus moves to the group, so that it is announced and the widget is the next stop.
          box.tabIndex = -1;
          // Space for the focus ring. Set by script, so that pages without questions need no styles for it.
          box.style.marginBlock = '0.375rem';
          box.focus();
        },
      });
      ends.push(remove);
    });
  } finally {
    // Removes the widget before its box.
    for (const end of ends.reverse()) end();
  }
}

/** Providers look up their widgets in the document, so the box for a shadow root is slotted from outside. */
function addBox(container: HTMLElement): { box: HTMLElement; removeBox: () => void } {
  const box = document.createElement('div');
  box.className = 'eak-form__question';
  const root = container.getRootNode();
  if (!(root instanceof ShadowRoot)) {
    container.append(box);
    return { box, removeBox: () => box.remove() };
  }
  widgets += 1;
  const slot = document.createElement('slot');
  box.slot = slot.name = `human-check-${widgets}`;
  container.append(slot);
  root.host.append(box);
  return {
    box,
    removeBox() {
      slot.remove();
      box.remove();
    },
  };
}

/** Calls back when the element has left the document. Returns a function that stops watching. */
function whenRemoved(element: Element, callback: () => void): () => void {
  const observer = new MutationObserver(() => {
    // An element that was only moved is connected again by now.
    if (!element.isConnected) callback();
  });
  let root = element.getRootNode();
  while (root instanceof ShadowRoot) {
    observer.observe(root, { childList: true, subtree: true });
    root = root.host.getRootNode();
  }
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}
