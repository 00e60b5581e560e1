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

/** Sends each email to a mail server over its own connection. */
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
        // `exchange` never rejects, so nothing has been sent yet.
        return refused(false, 'the email cannot be encoded, or the SMTP options cannot be used');
      }
    },
    async close() {
      for (const connection of open) connection.close();
    },
  };
}

/** Runs one SMTP session. Uses nodemailer's connection, because its transport does not report whether the body was started. */
function exchange(
  connection: SMTPConnection,
  message: Message,
  auth: Credentials | undefined,
  timeoutMs: number,
): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    let bodyStarted = false;
    const end = (result: DeliveryResult) => {
      clearTimeout(deadline);
      resolve(result);
      if (result.outcome === 'sent') connection.quit();
      else connection.close();
    };
    const fail = (failure: SmtpFailure) => end(outcomeOf(failure, bodyStarted));
    const deadline = setTimeout(() => fail({ code: 'ETIMEDOUT', timeoutType: 'DELIVERY_TIMEOUT' }), timeoutMs);

    /** Read only after the server has asked for the body (354). */
    function* body() {
      bodyStarted = true;
      yield message.raw;
    }

    function send() {
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
      // Without the configured login, the server would reject every recipient permanently.
      if (!connection.allowsAuth) return end(refused(false, 'the mail server offers no sign-in'));
      connection.login({ credentials: { ...auth } }, (failure) => (failure ? fail(failure) : send()));
    });
  });
}
