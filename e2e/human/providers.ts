import type { Page, Route } from '@playwright/test';

/** Fakes of Turnstile's and hCaptcha's scripts and frames, based on their documentation and served by Playwright. */
export interface Providers {
  /** Turnstile's widget asks the visitor. */
  asks: boolean;
  /** The providers' hosts refuse connections. */
  areDown: boolean;
  /** Requested URLs, without their queries. */
  readonly requested: string[];
}

/** `issue` returns a new token of the verifier. */
export async function serveProviders(page: Page, issue: () => string): Promise<Providers> {
  const providers: Providers = { asks: false, areDown: false, requested: [] };

  const respond = (script: (callback: string) => void, widget: string) => async (route: Route) => {
    const url = new URL(route.request().url());
    providers.requested.push(url.origin + url.pathname);
    if (providers.areDown) return route.abort('connectionrefused');
    if (url.pathname.endsWith('/api.js')) {
      const callback = url.searchParams.get('onload') ?? '';
      return route.fulfill({ contentType: 'text/javascript', body: `(${script})(${JSON.stringify(callback)})` });
    }
    const frame = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${widget}</title><body style="margin: 0">
      <script>(${widgetFrame})(${JSON.stringify({ token: issue(), asks: providers.asks })})</script></body></html>`;
    return route.fulfill({ contentType: 'text/html', body: frame });
  };
  await page.route('https://challenges.cloudflare.com/**', respond(turnstileScript, 'Cloudflare security challenge'));
  await page.route(/^https:\/\/(\w+\.)?hcaptcha\.com\//, respond(hcaptchaScript, 'hCaptcha challenge'));
  return providers;
}

/** Runs in a widget's frame: passes by itself, or once its box is checked. */
function widgetFrame({ token, asks }: { token: string; asks: boolean }): void {
  const pass = () => parent.postMessage({ token }, '*');
  if (!asks) {
    pass();
    return;
  }
  const label = document.createElement('label');
  label.style.cssText =
    'display: flex; gap: 8px; padding: 20px 12px; border: 1px solid #777; font: 16px sans-serif; background: #fff';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.onchange = pass;
  label.append(box, 'Verify you are human');
  document.body.append(label);
  parent.postMessage({ asks: true }, '*');
}

/** Runs in the page, like https://challenges.cloudflare.com/turnstile/v0/api.js. */
function turnstileScript(callback: string): void {
  interface Widget {
    readonly host: HTMLElement;
    readonly frame: HTMLIFrameElement;
    onMessage(event: MessageEvent): void;
  }
  const widgets = new Map<string, Widget>();
  const find = (id: string): Widget => {
    const widget = widgets.get(id);
    if (!widget) throw new Error(`[Cloudflare Turnstile] Could not find widget for provided ID: ${id}`);
    return widget;
  };
  const turnstile = {
    render(container: HTMLElement, parameters: Record<string, unknown>): string {
      const notify = (name: string, value?: unknown) => {
        const listener = parameters[name];
        if (typeof listener === 'function') listener(value);
      };
      if (typeof parameters.sitekey !== 'string') throw new Error('[Cloudflare Turnstile] Missing parameter "sitekey"');
      if (!document.contains(container)) throw new Error('[Cloudflare Turnstile] Unable to find a container');
      const id = `cf-chl-widget-${Math.random().toString(36).slice(2)}`;
      const host = container.appendChild(document.createElement('div'));
      const frame = document.createElement('iframe');
      frame.title = 'Widget containing a Cloudflare security challenge';
      const show = (isShown: boolean) => {
        frame.style.cssText = `border: 0; inline-size: ${isShown ? '300px' : '0'}; block-size: ${isShown ? '65px' : '0'}`;
      };
      show(parameters.appearance !== 'interaction-only');
      host.attachShadow({ mode: 'closed' }).append(frame);
      if (parameters['response-field'] !== false) {
        const field = host.appendChild(document.createElement('input'));
        Object.assign(field, { type: 'hidden', name: 'cf-turnstile-response' });
      }
      const onMessage = ({ source, data }: MessageEvent) => {
        if (source !== frame.contentWindow) return;
        if (data.asks) {
          show(true);
          notify('before-interactive-callback');
        } else notify('callback', data.token);
      };
      addEventListener('message', onMessage);
      widgets.set(id, { host, frame, onMessage });
      if (parameters.execution !== 'execute') turnstile.execute(id);
      return id;
    },
    execute(id: string): void {
      find(id).frame.src = 'https://challenges.cloudflare.com/cdn-cgi/challenge-platform/widget';
    },
    remove(id: string): void {
      const { host, onMessage } = find(id);
      removeEventListener('message', onMessage);
      host.remove();
      widgets.delete(id);
    },
  };
  Object.assign(window, { turnstile });
  const ready: unknown = Reflect.get(window, callback);
  if (typeof ready === 'function') ready();
}

/** Runs in the page, like https://js.hcaptcha.com/1/api.js. Passes without a question. */
function hcaptchaScript(callback: string): void {
  const widgets = new Map<string, HTMLElement>();
  const hcaptcha = {
    render(container: HTMLElement, parameters: Record<string, unknown>): string {
      if (typeof parameters.sitekey !== 'string') throw new Error('[hCaptcha] sitekey is missing');
      const id = Math.random().toString(36).slice(2);
      const host = container.appendChild(document.createElement('div'));
      if (parameters.size !== 'invisible') host.textContent = 'I am human';
      widgets.set(id, host);
      return id;
    },
    execute(id: string, { async }: { async?: boolean } = {}): Promise<{ response: string; key: string }> | undefined {
      if (!widgets.has(id)) throw new Error('[hCaptcha] invalid captcha id');
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.title = 'Main content of the hCaptcha challenge';
      frame.style.cssText = 'position: fixed; visibility: hidden';
      const solved = new Promise<{ response: string; key: string }>((resolve) => {
        const onMessage = ({ source, data }: MessageEvent) => {
          if (source !== frame.contentWindow) return;
          removeEventListener('message', onMessage);
          frame.remove();
          resolve({ response: data.token, key: id });
        };
        addEventListener('message', onMessage);
        frame.src = 'https://newassets.hcaptcha.com/captcha/v1/challenge';
      });
      return async ? solved : undefined;
    },
    remove(id: string): void {
      if (!widgets.has(id)) throw new Error('[hCaptcha] invalid captcha id');
      widgets.get(id)?.remove();
      widgets.delete(id);
    },
  };
  Object.assign(window, { hcaptcha });
  const ready: unknown = Reflect.get(window, callback);
  if (typeof ready === 'function') ready();
}
