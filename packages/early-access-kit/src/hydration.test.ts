// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { keepTypedText } from './hydration.ts';

const FORM =
  '<form><input name="email"><input type="checkbox" name="news" value="yes"><select name="size"><option>s<option>m</select></form>';

/** The form's values and the name of the field with focus. */
const read = () => [
  [...new FormData(document.querySelector('form') ?? undefined)],
  document.activeElement?.getAttribute('name'),
];

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

it('leaves fields alone that are still the same, and those without a predecessor', () => {
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

it('gives the focus back to a field that was moved', () => {
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
