import {
  type Brand,
  type Clock,
  createTimeLimit,
  type Log,
  type MailTemplates,
  type MailTransport,
  type MessageComposerOptions,
  mailService,
  messageComposer,
} from 'early-access-server/app';
import type { FirestoreStore } from '../firestore/firestore-store.ts';

export interface WelcomeEmailOptions
  extends Pick<MessageComposerOptions, 'language' | 'siteUrl' | 'inviteUrl' | 'replyTo' | 'postalAddress'> {
  readonly mailFrom: string;
  readonly brand: Brand;
  /** Default: the built-in emails. */
  readonly templates?: MailTemplates;
  readonly store: FirestoreStore;
  readonly transport: MailTransport;
  readonly log: Log;
  readonly clock?: Clock;
}

/** The operations on welcome emails that the functions need. */
export interface WelcomeEmails {
  /** Sends what is due, and begins no delivery after `withinMs`. Rejects if the store fails. */
  runDue(options: { readonly withinMs: number }): Promise<void>;
  /** Sends the message of a signup if it is due. Rejects if the store fails before the message is claimed. */
  send(signupId: string): Promise<void>;
}

export function welcomeEmails({ store, mailFrom, ...options }: WelcomeEmailOptions): WelcomeEmails {
  const compose = messageComposer({ ...options, from: mailFrom });
  const { deliver, runDue } = mailService({ ...options, queue: store.mails, compose });
  return {
    runDue: ({ withinMs }) => runDue(createTimeLimit(withinMs, options.clock ?? Date.now)),
    send: async (signupId) => void (await deliver(await store.mails.claim(signupId))),
  };
}
