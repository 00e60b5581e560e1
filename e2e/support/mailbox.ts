import { EventEmitter, once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** Addresses that the mail server knows nobody at. */
export const UNKNOWN_DOMAIN = 'nobody.example';

/** A real SMTP server on loopback, and what has arrived there. */
export interface Mailbox {
  readonly url: string;
  /** The mails to an address so far. */
  mailsTo(address: string): readonly Email[];
  /** The first mail to an address, once it is there. */
  waitForMail(address: string): Promise<Email>;
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const mails = new Map<string, Email[]>();
  const arrivals = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    onRcptTo({ address }, _, callback) {
      const unknown = address.endsWith(`@${UNKNOWN_DOMAIN}`);
      callback(unknown ? Object.assign(new Error('Nobody is here'), { responseCode: 550 }) : null);
    },
    onData(stream, { envelope }, callback) {
      buffer(stream)
        .then((source) => PostalMime.parse(source))
        .then((mail) => {
          for (const { address } of envelope.rcptTo) {
            mails.set(address, [...(mails.get(address) ?? []), mail]);
            arrivals.emit(address);
          }
          callback();
        }, callback);
    },
  });
  // A server that is killed hangs up in the middle.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server listens on no port');
  const mailsTo = (to: string) => mails.get(to) ?? [];
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mailsTo,
    async waitForMail(to) {
      if (mailsTo(to).length === 0) await once(arrivals, to, { signal: AbortSignal.timeout(10_000) });
      const [mail] = mailsTo(to);
      if (!mail) throw new Error(`No mail to ${to}`);
      return mail;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
