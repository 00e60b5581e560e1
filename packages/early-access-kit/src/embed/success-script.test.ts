// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import './success-script.ts';

const followed: string[] = [];

beforeEach(() => {
  followed.length = 0;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.href);
  });
});

function succeed(url: string | null, type = 'early-access-success'): string[] {
  const form = document.createElement('early-access-form');
  if (url !== null) form.setAttribute('success-url', url);
  const host = document.createElement('div');
  host.attachShadow({ mode: 'open' }).append(form);
  document.body.append(host);
  form.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, cancelable: true }));
  return followed;
}

it('opens the page of the form that succeeded, even from a shadow root', () => {
  expect(succeed('/thanks')).toEqual([`${document.baseURI}thanks`]);
});

it.each([null, '', 'javascript:alert(1)', 'data:text/html,x'])('opens nothing with the attribute %j', (url) => {
  expect(succeed(url)).toEqual([]);
});

it('opens nothing after any other event', () => {
  expect(succeed('/thanks', 'early-access-duplicate')).toEqual([]);
});
