import {
  type Clock,
  handOver,
  type Log,
  MAILBOX_FULL_REASON,
  type MailTransport,
  settle,
  type WelcomeEmail,
} from 'early-access-server/app';
import { reasonOf } from '../log.ts';
import type { ClaimedMail, Outbox } from './outbox.ts';
import type { MailState } from './record.ts';

export interface MailerOptions {
  readonly outbox: Outbox;
  readonly transport: MailTransport;
  /** Makes the message; a throw gives the mail up, because it would throw again. */
  readonly compose: (mail: ClaimedMail) => WelcomeEmail;
  readonly clock: Clock;
  readonly log: Log;
}

/** The state an attempt ended in, or why there was none. */
export type SendOutcome = Exclude<MailState, 'sending'> | 'nothing' | 'quota-spent' | 'mailbox-full';

export interface Mailer {
  /**
   * Sends the welcome email of a sign-up if it is due. AT MOST ONCE: it is marked `sending` in the store before it is handed
   * over, and whatever happens after that without a definite refusal never leads to a second one by itself.
   * Rejects where the store fails before the mail is claimed.
   */
  send(signupId: string): Promise<SendOutcome>;
}

export function mailer({ outbox, transport, compose, clock, log }: MailerOptions): Mailer {
  return {
    async send(signupId) {
      const mail = await outbox.claim(signupId);
      if (mail === 'nothing') return mail;
      if (mail === 'quota-spent' || mail === 'mailbox-full') {
        if (mail === 'quota-spent') log('warn', 'mail-quota-spent');
        else log('info', 'mail-postponed', { reason: MAILBOX_FULL_REASON });
        return mail;
      }
      const settlement = settle(await handOver(() => compose(mail), transport), mail.attempts, clock());
      const reason = settlement.state === 'sent' ? null : settlement.reason;
      const level = settlement.state === 'sent' ? 'info' : 'warn';
      log(level, `mail-${settlement.state}`, { message: mail.messageKey, attempts: mail.attempts, reason });
      try {
        await outbox.settle(mail, settlement);
      } catch (error) {
        // The mail stays `sending` and becomes `unknown`: not known to have gone out, and not sent twice.
        log('error', 'mail-not-settled', { message: mail.messageKey, reason: reasonOf(error) });
      }
      return settlement.state;
    },
  };
}
