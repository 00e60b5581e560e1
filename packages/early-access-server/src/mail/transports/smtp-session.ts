import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { DeliveryResult } from '../../app/ports/mail-transport.ts';
import { type Message, refused } from '../mime.ts';
import { type SmtpFailure, toDeliveryResult } from './smtp-outcome.ts';

export interface Credentials {
  readonly user: string;
  readonly pass: string;
}

/** A connection to a mail server that is signed in and sends one message at a time. */
export interface SmtpSession {
  readonly connection: SMTPConnection;
  /** Messages sent so far. */
  readonly messages: number;
  send(message: Message): Promise<DeliveryResult>;
  /**
   * True if the connection was closed before any part of the last message was sent, so the failure was not caused by
   * the message.
   */
  readonly isLost: boolean;
  /** Makes the message in progress fail. */
  fail(failure: SmtpFailure): void;
}

/** Servers may send this code before they close an unused connection. */
const CLOSING = 421;

/** Describes why the connection ended. nodemailer reports the end before the 421 that announced it. */
function describeEnd({ lastServerResponse: response }: SMTPConnection): SmtpFailure {
  const hasAnnounced = typeof response === 'string' && response.startsWith(String(CLOSING));
  return hasAnnounced ? { responseCode: CLOSING, response, command: 'CONN' } : { code: 'ECONNECTION' };
}

/**
 * Connects and signs in, or returns why that failed. Uses nodemailer's connection, because its transport does not
 * report whether the body was started.
 */
export function openSession(
  connection: SMTPConnection,
  auth: Credentials | undefined,
): { readonly session: SmtpSession; readonly opened: Promise<DeliveryResult | null> } {
  let offersSmtpUtf8 = false;
  let messages = 0;
  let isLost = false;
  let fail: (failure: SmtpFailure) => void = () => {};
  connection.on('error', (failure) => fail(failure));
  connection.once('end', () => fail(describeEnd(connection)));

  const opened = new Promise<DeliveryResult | null>((resolve) => {
    fail = (failure) => resolve(toDeliveryResult(failure, false));
    connection.connect((error) => {
      if (error) return fail(error);
      offersSmtpUtf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '');
      if (!auth) return resolve(null);
      // Without a sign-in, the server would reject every recipient permanently.
      if (!connection.allowsAuth) return resolve(refused('our-problem', 'the mail server offers no sign-in'));
      connection.login({ credentials: { ...auth } }, (failure) => (failure ? fail(failure) : resolve(null)));
    });
  });

  const session: SmtpSession = {
    connection,
    get messages() {
      return messages;
    },
    get isLost() {
      return isLost;
    },
    fail: (failure) => fail(failure),
    send(message) {
      if (message.needsSmtpUtf8 && !offersSmtpUtf8) {
        return Promise.resolve(refused('content', 'the mail server does not support internationalized addresses'));
      }
      return new Promise((resolve) => {
        let bodyStarted = false;
        fail = (failure) => {
          const { responseCode = CLOSING } = failure;
          isLost = !bodyStarted && responseCode === CLOSING && failure.code !== 'ETIMEDOUT';
          resolve(toDeliveryResult(failure, bodyStarted, message.to));
        };
        /** Read only after the server has asked for the body (354). */
        function* body() {
          bodyStarted = true;
          yield message.raw;
        }
        const envelope = { from: message.from, to: [message.to], size: message.raw.length };
        connection.send(envelope, Readable.from(body(), { objectMode: false }), (error) => {
          if (error) return fail(error);
          messages += 1;
          resolve({ outcome: 'sent' });
        });
      });
    },
  };
  return { session, opened };
}
