import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { HANGING_MS } from './hanging.ts';
import { getPort } from './http-server.ts';

export interface ReceivedMail {
  readonly from: string;
  /** The envelope recipients. */
  readonly to: readonly string[];
  readonly source: string;
}

/** A rejection as sent by real servers: `550 5.1.1 User unknown`. */
export interface MailRefusal {
  /** The recipient to reject. Default: everyone. */
  readonly to?: string;
  /** Rejects the recipient, or the whole message. */
  readonly at: 'RCPT' | 'DATA';
  readonly reply: string;
}

export interface MailServer {
  readonly url: string;
  /** Accepted messages, in order. */
  readonly received: readonly ReceivedMail[];
  /** Recipients of all accepted messages, in order. */
  readonly recipients: readonly string[];
  /** Accepted messages to an address, in order. */
  mailsTo(address: string): readonly ReceivedMail[];
  /** Waits for message number `index` to an address, by default the first, and returns it. */
  waitForMail(address: string, index?: number): Promise<Email>;
  /** Sets the reply code to recipients; 250 at first. */
  replyWith(code: number): void;
  /** Sets the rejections. The first match applies. */
  refuse(refusals: readonly MailRefusal[]): void;
  /**
   * Delays the reply to the next message. Resolves when the message has arrived, with a function that sends the reply.
   */
  holdNext(): Promise<() => void>;
  /** Clears all messages and rejections. */
  reset(): void;
  /** Rejects connections until `open` is called. */
  close(): Promise<void>;
  /** Listens again on the same port. */
  open(): Promise<void>;
}

/** A domain without mailboxes. The server rejects its recipients with 550. */
export const UNKNOWN_DOMAIN = 'nobody.example';

/** Returns an error whose code and message the server sends; null if the reply is not a rejection. */
function toError(reply: string | null): Error | null {
  if (reply === null) return null;
  const [responseCode = '', ...words] = reply.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(responseCode) });
}

/** A real SMTP server on loopback. Accepts and records every message unless `replyWith` or an option changes that. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const recipients: string[] = [];
  const mailboxes = new Map<string, ReceivedMail[]>();
  const arrivals = new EventEmitter();
  const mailsTo = (address: string) => mailboxes.get(address) ?? [];
  let code = 250;
  let refusals: readonly MailRefusal[] = [];
  let hold: ((release: () => void) => void) | undefined;

  async function receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const mail = { from, to: envelope.rcptTo.map(({ address }) => address), source: await text(stream) };
    received.push(mail);
    recipients.push(...mail.to);
    for (const address of mail.to) {
      mailboxes.set(address, [...mailsTo(address), mail]);
      arrivals.emit(address);
    }
    const held = hold;
    hold = undefined;
    if (held) await new Promise<void>((release) => held(release));
  }

  function findReply(at: MailRefusal['at'], recipients: readonly string[]): string | null {
    const matches = (refusal: MailRefusal) =>
      refusal.at === at && (refusal.to === undefined || recipients.includes(refusal.to));
    return refusals.find(matches)?.reply ?? null;
  }

  async function listen(port: number) {
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      hideSTARTTLS: true,
      onRcptTo({ address }, _, callback) {
        const isUnknown = address.endsWith(`@${UNKNOWN_DOMAIN}`);
        const reply = isUnknown ? '550 5.1.1 no such mailbox here' : code === 250 ? null : `${code} refused`;
        callback(toError(findReply('RCPT', [address]) ?? reply));
      },
      onData(stream, session, callback) {
        const reply = findReply(
          'DATA',
          session.envelope.rcptTo.map(({ address }) => address),
        );
        if (reply === null) receive(stream, session).then(() => callback(), callback);
        else text(stream).then(() => callback(toError(reply)), callback);
      },
      ...options,
    });
    // Some tests kill clients or close their connections.
    server.on('error', () => {});
    const listener = server.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return { port: getPort(listener), close: () => new Promise<void>((resolve) => server.close(resolve)) };
  }

  let running = await listen(0);
  const { port } = running;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    recipients,
    mailsTo,
    async waitForMail(address, index = 0) {
      const signal = AbortSignal.timeout(HANGING_MS);
      while (mailsTo(address).length <= index) await once(arrivals, address, { signal });
      return PostalMime.parse(mailsTo(address)[index]?.source ?? '');
    },
    replyWith(next) {
      code = next;
    },
    refuse(next) {
      refusals = next;
    },
    holdNext: () =>
      new Promise((resolve) => {
        hold = resolve;
      }),
    reset() {
      received.length = 0;
      recipients.length = 0;
      mailboxes.clear();
      code = 250;
      refusals = [];
      hold = undefined;
    },
    close: () => running.close(),
    async open() {
      running = await listen(port);
    },
  };
}
