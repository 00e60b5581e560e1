import type { SignupFields } from 'early-access-kit/core';
import type { MessageKind } from '../mail/message-kinds.ts';
import type { Notice } from '../mail/notice.ts';
import type { Email } from './mail-transport.ts';

/** Composes the emails for admins that are sent at once. */
export interface AdminComposer {
  signIn(to: string, link: string, minutes: number): Email;
  test(to: string): Email;
}

export interface Campaign {
  readonly subject: string;
  readonly body: string;
}

/** A message of the mail queue, with what its email is made of. */
export interface ComposableMessage {
  readonly kind: MessageKind;
  readonly email: string;
  /** The values that the person has entered into the host's fields. */
  readonly fields: SignupFields;
  /** The same for every attempt; the Message-ID is made of it. */
  readonly messageKey: string;
  /** The tokens of this attempt: for the link to unsubscribe, and for the main link of the message. */
  readonly tokens: { readonly unsubscribe: string | null; readonly link: string | null };
  /** The text of an admin, if it is a campaign; `body` is Markdown. */
  readonly campaign: Campaign | null;
  /** The content of a notice, if it is one. */
  readonly notice: Notice | null;
}
