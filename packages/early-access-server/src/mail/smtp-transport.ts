import { Readable } from 'node:stream';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Message, refused, toMessage } from './message.ts';
import { outcomeOf, type SmtpFailure } from './smtp-outcome.ts';
import type { DeliveryResult, MailTransport } from './transport.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`, with the options that nodemailer reads from the query (`?requireTLS=true`). */
  readonly url: string;
  /** A delivery that takes longer than this, in milliseconds, has failed. */
  readonly timeoutMs?: number;
}

interface Credentials {
  readonly user: string;
  readonly pass: string;
}

/** Hands each email to a mail server over a connection of its own. */
export function smtpTransport({ url, timeoutMs = 120_000 }: SmtpOptions): MailTransport {
  const { auth, ...server } = parseConnectionUrl(url);
  const open = new Set<SMTPConnection>();
  return {
    async deliver(email) {
      try {
        const message = await toMessage(email);
        if ('outcome' in message) return message;
        const connection = new SMTPConnection({ ...server, socketTimeout: timeoutMs, socketCloseTimeout: 1_000 });
        open.add(connection);
        connection.once('end', () => open.delete(connection));
        return await exchange(connection, message, auth, timeoutMs);
      } catch {
        // The conversation answers with its failures: what throws has not come as far as that.
        return refused(false, 'the email cannot be encoded, or the SMTP options cannot be used');
      }
    },
    async close() {
      for (const connection of open) connection.close();
    },
  };
}

/** The whole conversation with the server. Built on the library's connection, since its transport does not tell how far it got. */
function exchange(
  connection: SMTPConnection,
  message: Message,
  auth: Credentials | undefined,
  timeoutMs: number,
): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    let handedOver = false;
    const end = (result: DeliveryResult) => {
      clearTimeout(deadline);
      resolve(result);
      if (result.outcome === 'sent') connection.quit();
      else connection.close();
    };
    const fail = (failure: SmtpFailure) => end(outcomeOf(failure, handedOver));
    const deadline = setTimeout(() => fail({ code: 'ETIMEDOUT', timeoutType: 'DELIVERY_TIMEOUT' }), timeoutMs);

    /** The library pulls this once the server has asked for the message (354), and not before. */
    function* body() {
      handedOver = true;
      yield message.raw;
    }

    function send() {
      // The last answer is the one to EHLO, or to the sign-in that follows it.
      if (message.needsSmtpUtf8 && !offersSmtpUtf8) {
        return end(refused(true, 'the mail server takes no internationalised addresses'));
      }
      const envelope = { from: message.from, to: [message.to], size: message.raw.length };
      connection.send(envelope, Readable.from(body(), { objectMode: false }), (error) =>
        error ? fail(error) : end({ outcome: 'sent' }),
      );
    }

    let offersSmtpUtf8 = false;
    connection.on('error', fail);
    connection.once('end', () => fail({ code: 'ECONNECTION' }));
    connection.connect((error) => {
      if (error) return fail(error);
      offersSmtpUtf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '');
      if (!auth) return send();
      // Where it is configured it is needed: unauthenticated, a server would refuse every recipient for good.
      if (!connection.allowsAuth) return end(refused(false, 'the mail server offers no sign-in'));
      connection.login({ credentials: { ...auth } }, (failure) => (failure ? fail(failure) : send()));
    });
  });
}
