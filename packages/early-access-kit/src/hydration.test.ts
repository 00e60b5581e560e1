// @vitest-environment jsdom
import { act, createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { keepTypedText, useTypedText } from './hydration.ts';

// Must run before the module is loaded. An extension has added an element, so React replaces the page.
vi.hoisted(() => {
  document.body.innerHTML = '<div><form><x-extension></x-extension><input name="email"></form></div>';
});

function Form() {
  useTypedText();
  return createElement('form', null, createElement('input', { name: 'email' }));
}

const FORM =
  '<form><input name="email"><input type="checkbox" name="news" value="yes"><select name="size"><option>s<option>m</select></form>';

/** The form's values and the name of the field with focus. */
const read = () => [
  [...new FormData(document.querySelector('form') ?? undefined)],
  document.activeElement?.getAttribute('name'),
];

it('is also a hook for frameworks, which only affects the first page', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const [prerendered, root] = [document.querySelector('input'), document.querySelector('div')];
  if (!prerendered || !root) throw new Error('the page has a form');
  prerendered.focus();
  prerendered.value = 'ada@exa';
  const hydrated = await act(() => hydrateRoot(root, createElement(Form), { onRecoverableError() {} }));
  expect([prerendered.isConnected, ...read()]).toEqual([false, [['email', 'ada@exa']], 'email']);
  await act(() => hydrated.render(createElement(Form, { key: 'another page' })));
  expect(read()[0]).toEqual([['email', '']]);
  await act(() => hydrated.unmount());
  vi.unstubAllGlobals();
});

it('copies values and focus to the fields that replace the prerendered ones', () => {
  document.body.innerHTML = FORM;
  const restore = keepTypedText(document.body);
  const [email, news, size] = document.querySelectorAll<HTMLInputElement>('[name]');
  if (!email || !news || !size) throw new Error('the form has three fields');
  email.focus();
  email.value = 'ada@exa';
  news.checked = true;
  size.value = 'm';
  const typed = read();
  document.body.innerHTML = FORM;
  restore();
  expect(read()).toEqual(typed);
  expect(typed).toEqual([
    [
      ['email', 'ada@exa'],
      ['news', 'yes'],
      ['size', 'm'],
    ],
    'email',
  ]);
});

it('does not change fields that are the same, or that have no predecessor', () => {
  document.body.innerHTML = FORM;
  const restore = keepTypedText(document.body);
  document.querySelector('form')?.insertAdjacentHTML('beforeend', '<input name="more" value="own">');
  restore();
  expect(read()[0]).toEqual([
    ['email', ''],
    ['size', 's'],
    ['more', 'own'],
  ]);
});

it('restores the focus of a field that was moved', () => {
  document.body.innerHTML = FORM;
  const restore = keepTypedText(document.body);
  const email = document.querySelector<HTMLInputElement>('[name=email]');
  if (!email) throw new Error('the form has an address');
  email.value = 'ada@exa';
  email.focus();
  email.parentElement?.prepend(email);
  email.blur();
  restore();
  expect(read()[1]).toBe('email');
  expect(email.value).toBe('ada@exa');
});

it('does not change a field whose predecessor has a different name', () => {
  document.body.innerHTML = '<form><input name="search" value="prints"></form>';
  const restore = keepTypedText(document.body);
  document.body.innerHTML = FORM;
  restore();
  expect(read()[0]).toEqual([
    ['email', ''],
    ['size', 's'],
  ]);
});
