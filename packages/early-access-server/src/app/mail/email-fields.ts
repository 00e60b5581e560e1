import type { SignupFields } from 'early-access-kit/core';

/** Characters of a value that an email shows. Longer ones are cut. */
export const MAX_EMAIL_VALUE = 80;

/**
 * Whether a mail program may turn part of the value into a link: an address with a scheme, a host or a mailbox. Also
 * true for some harmless values, which an email can do without.
 */
const MAY_BE_LINK =
  /@|:\/\/|\bwww\.|\b(?:mailto|tel|javascript|data):|[\p{L}\p{N}][.\u3002\uff0e\uff61][\p{L}\p{N}]{2}|\bxn--/iu;

/**
 * The values of a person's fields that an email to them may contain. Anyone can sign up an address, so until its owner
 * has confirmed it, the text may be a stranger's who speaks in the sender's name: then there are none. Other texts are
 * short and lead nowhere.
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
