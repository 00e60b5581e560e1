/** A fake of Turnstile in the page, for unit tests and stories, which control the outcome. */
export interface FakeTurnstile {
  /** Widgets that are rendered and not yet removed, keyed by id. */
  readonly widgets: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  uninstall(): void;
}

/** Called by `execute`. Reports through the callbacks in the widget's parameters, as Turnstile does. */
export type FakeWork = (callbacks: {
  pass(): void;
  fail(code: string): void;
  /** Shows a checkbox and passes when it is checked. */
  ask(): void;
}) => void;

let issued = 0;

/** Installs Turnstile's global API, as its script does. */
export function installTurnstile(work: FakeWork): FakeTurnstile {
  const widgets = new Map<string, Readonly<Record<string, unknown>>>();
  const boxes = new Map<string, HTMLElement>();

  function call(parameters: Readonly<Record<string, unknown>>, name: string, ...args: unknown[]): void {
    const callback = parameters[name];
    if (typeof callback === 'function') callback(...args);
  }

  const turnstile = {
    render(container: HTMLElement, parameters: Readonly<Record<string, unknown>>): string {
      if (typeof parameters.sitekey !== 'string') throw new TypeError('sitekey is missing');
      // Turnstile does not work within a shadow root.
      if (!document.contains(container)) throw new TypeError('the container is not in the document');
      const widget = `cf-chl-widget-${widgets.size + 1}`;
      widgets.set(widget, parameters);
      boxes.set(widget, container.appendChild(document.createElement('div')));
      return widget;
    },
    execute(widget: string): void {
      const parameters = widgets.get(widget) ?? {};
      const pass = () => {
        issued += 1;
        call(parameters, 'callback', `token-${issued}`);
      };
      work({
        pass,
        fail: (code) => call(parameters, 'error-callback', code),
        ask() {
          const label = document.createElement('label');
          label.style.cssText = 'display: flex; gap: 0.5rem; align-items: center; border: 1px solid; padding: 1.25rem;';
          const box = label.appendChild(document.createElement('input'));
          box.type = 'checkbox';
          box.onchange = pass;
          label.append('Verify you are human');
          boxes.get(widget)?.append(label);
          call(parameters, 'before-interactive-callback');
        },
      });
    },
    remove(widget: string): void {
      if (!widgets.delete(widget)) throw new TypeError('there is no such widget');
      boxes.get(widget)?.remove();
    },
  };
  Object.assign(window, { turnstile });
  return { widgets, uninstall: () => void Reflect.deleteProperty(window, 'turnstile') };
}
