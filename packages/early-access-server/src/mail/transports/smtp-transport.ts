import { domainToASCII } from 'node:url';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { chooseEhloName } from '../../app/mail/ehlo-name.ts';
import type { DeliveryResult, MailTransport } from '../../app/ports/mail-transport.ts';
import { type Message, refused, toMessage } from '../mime.ts';
import { openSession, type SmtpSession } from './smtp-session.ts';

export interface SmtpOptions {
  /**
   * `smtp://user:password@host:587` or `smtps://…`. Query parameters are passed to nodemailer as options
   * (`?requireTLS=true`).
   */
  readonly url: string;
  /** Milliseconds after which a delivery has failed. Default: 120,000. */
  readonly timeoutMs?: number;
  /** The host name in EHLO, unless the URL specifies one (`?name=…`). Default: the sender's domain. */
  readonly name?: string | undefined;
}

/** How long a connection waits for another email, and the most emails per connection. Servers limit both. */
const IDLE_MS = 1_000;
const MAX_MESSAGES = 100;

interface IdleSession {
  readonly session: SmtpSession;
  /** In wall-clock time, which continues while a process is suspended. */
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Sends emails through a mail server. Consecutive emails share a connection.
 *
 * @example
 * const transport = smtpTransport({ url: 'smtp://user:password@mail.example.com:587' });
 */
export function smtpTransport({ url, timeoutMs = 120_000, name }: SmtpOptions): MailTransport {
  const { auth, name: nameInUrl, ...server } = parseConnectionUrl(url);
  const open = new Set<SMTPConnection>();
  const idle: IdleSession[] = [];

  function takeIdle(): SmtpSession | null {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.timer);
      if (open.has(last.session.connection) && Date.now() - last.since < IDLE_MS) return last.session;
      last.session.connection.close();
    }
    return null;
  }

  function keep(session: SmtpSession): void {
    if (session.messages >= MAX_MESSAGES) {
      session.connection.quit();
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(idle.indexOf(kept), 1);
      session.connection.quit();
    }, IDLE_MS);
    const kept = { session, since: Date.now(), timer };
    idle.push(kept);
  }

  /** Calls `onSession` with each session that is used, so that it can be ended at the deadline. */
  async function send(message: Message, onSession: (session: SmtpSession) => void): Promise<DeliveryResult> {
    const used = takeIdle();
    if (used !== null) {
      onSession(used);
      const result = await used.send(message);
      if (!used.isLost) return done(used, result);
      used.connection.close();
    }
    const domain = domainToASCII(message.from.slice(message.from.lastIndexOf('@') + 1));
    const connection = new SMTPConnection({
      ...server,
      name: typeof nameInUrl === 'string' ? nameInUrl : chooseEhloName([name, domain]),
      socketTimeout: timeoutMs,
      socketCloseTimeout: 1_000,
    });
    open.add(connection);
    connection.once('end', () => open.delete(connection));
    const { session, opened } = openSession(connection, auth);
    onSession(session);
    return done(session, (await opened) ?? (await session.send(message)));
  }

  function done(session: SmtpSession, result: DeliveryResult): DeliveryResult {
    if (result.outcome === 'sent') keep(session);
    else session.connection.close();
    return result;
  }

  return {
    async deliver(email) {
      let current: SmtpSession | undefined;
      const deadline = setTimeout(
        () => current?.fail({ code: 'ETIMEDOUT', timeoutType: 'DELIVERY_TIMEOUT' }),
        timeoutMs,
      );
      try {
        const message = await toMessage(email);
        if ('outcome' in message) return message;
        return await send(message, (session) => {
          current = session;
        });
      } catch {
        // Sessions do not reject, so the error occurred before anything was sent.
        return refused('later', 'the email cannot be encoded, or the SMTP options cannot be used');
      } finally {
        clearTimeout(deadline);
      }
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      for (const connection of open) connection.close();
    },
  };
}
