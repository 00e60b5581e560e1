import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryResult, Email, MailTransport } from '../ports/mail-transport.ts';
import type { ClaimedMessage, MailQueue } from '../ports/store.ts';
import { type MessageOutcome, toMessageOutcome } from './message-state.ts';

export interface DeliveryOptions {
  readonly queue: MailQueue;
  readonly transport: MailTransport;
  /** If it throws, the message fails for good, because it would throw again. */
  readonly compose: (message: ClaimedMessage) => Email;
  readonly log: Log;
  readonly clock?: Clock;
  /** Called once the outcome of an attempt has been recorded. */
  readonly onOutcome?: ((state: MessageOutcome['state']) => void) | undefined;
}

export interface DeliveryCallbacks {
  /** Called before the outcome is recorded. */
  readonly onResult?: (result: DeliveryResult) => void;
  /** Called if recording the outcome fails. Returns whether to try again; if not, the message becomes `unknown`. */
  readonly onRecordError: (error: unknown) => boolean | Promise<boolean>;
}

/**
 * Delivers a claimed message and records the outcome. At most once: the store has marked it `sending`, and it is never
 * sent again automatically unless it was definitely rejected or deferred. Never rejects.
 */
export async function deliverMessage(
  message: ClaimedMessage,
  { queue, transport, compose, log, clock = Date.now, onOutcome }: DeliveryOptions,
  { onResult, onRecordError }: DeliveryCallbacks,
): Promise<MessageOutcome['state']> {
  const result = await composeAndDeliver(() => compose(message), transport);
  onResult?.(result);
  const outcome = toMessageOutcome(result, message.attempts, clock());
  const fields = { message_key: message.messageKey, attempts: message.attempts };
  if (result.outcome === 'sent') log('info', 'mail-sent', { ...fields, ...(result.file && { file: result.file }) });
  else if (outcome.state !== 'sent') log('warn', `mail-${outcome.state}`, { ...fields, reason: outcome.reason });
  for (;;) {
    try {
      await queue.recordOutcome(message, outcome);
      onOutcome?.(outcome.state);
      return outcome.state;
    } catch (error) {
      if (!(await onRecordError(error))) return outcome.state;
    }
  }
}

async function composeAndDeliver(compose: () => Email, transport: MailTransport): Promise<DeliveryResult> {
  let email: Email;
  try {
    email = compose();
  } catch {
    return { outcome: 'refused', refusal: 'content', reason: 'the message could not be composed' };
  }
  try {
    return await transport.deliver(email);
  } catch {
    return { outcome: 'unknown', reason: 'the transport failed' };
  }
}
