import type { SignupFields } from 'early-access-kit/core';

/** Longer values are cut in emails. */
export const MAX_EMAIL_VALUE = 80;

/**
 * Matches values that a mail program may partly turn into a link: a URL, a host or a mailbox. Also matches some
 * harmless values, which emails can do without.
 */
const MAY_BE_LINK =
  /@|:\/\/|\bwww\.|\b(?:mailto|tel|javascript|data):|[\p{L}\p{N}][.\u3002\uff0e\uff61][\p{L}\p{N}]{2}|\bxn--/iu;

/**
 * The field values that an email to the person may contain. Until the address is confirmed there are none: anyone can
 * sign up any address, and an unknown person's text would appear in the sender's name. After that, values are shortened
 * and cannot become links.
 */
export function emailFields(fields: SignupFields | undefined, isConfirmed: boolean): SignupFields {
  if (!isConfirmed || fields === undefined) return {};
  const shown = Object.entries(fields).map(([name, value]) => [name, value === true ? value : oneLine(value)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value === true || !MAY_BE_LINK.test(value)));
}

function oneLine(text: string): string {
  const characters = [
    ...text
      .normalize('NFKC')
      .replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
      .trim(),
  ];
  if (characters.length <= MAX_EMAIL_VALUE) return characters.join('');
  return `${characters.slice(0, MAX_EMAIL_VALUE - 1).join('')}…`;
}
