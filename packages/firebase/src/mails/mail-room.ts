import {
  type Brand,
  type Clock,
  type Log,
  type MailTemplates,
  type MailTransport,
  welcomeComposer,
} from 'early-access-server/app';
import type { Firestore } from 'firebase-admin/firestore';
import { type Mailer, mailer } from './mailer.ts';
import { outbox } from './outbox.ts';
import { sweep } from './sweep.ts';

/** Longer than any function runs, so that nobody still sends a mail whose lease has run out. */
const LEASE_MS = 600_000;

export interface MailRoomOptions {
  readonly mailFrom: string;
  readonly brand: Brand;
  /** Without: the default emails. */
  readonly templates?: MailTemplates;
  readonly mailsPerHour: number;
  readonly firestore: Firestore;
  readonly transport: MailTransport;
  readonly clock: Clock;
  readonly log: Log;
}

/** All that has to do with welcome emails. */
export interface MailRoom extends Mailer {
  /** Takes care of what nobody waits for; begins no mail after so many milliseconds. */
  sweep(withinMs: number): Promise<void>;
}

export function mailRoom(options: MailRoomOptions): MailRoom {
  const { firestore, transport, clock, log, mailFrom, mailsPerHour, brand, templates } = options;
  const mails = outbox({ firestore, mailsPerHour, clock, leaseMs: LEASE_MS });
  const compose = welcomeComposer({ from: mailFrom, brand, templates });
  const sender = mailer({ outbox: mails, transport, compose, clock, log });
  return {
    send: sender.send,
    sweep: (withinMs) => sweep({ firestore, outbox: mails, mailer: sender, clock, log, withinMs }),
  };
}
