import type { DeliveryResult } from '../../app/ports/mail-transport.ts';
import { refused } from '../mime.ts';

/** The fields that nodemailer adds to a plain `Error`, as far as they are used. */
export interface SmtpFailure {
  readonly code?: string | undefined;
  /** A more specific cause, such as ECONNREFUSED. */
  readonly originalCode?: string | undefined;
  readonly timeoutType?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** A rejection of these commands concerns this email. A rejected login or sender is a configuration error. */
const MESSAGE_COMMANDS = ['RCPT TO', 'DATA'];

/**
 * Turns an SMTP failure into a delivery result.
 *
 * A 4xx or 5xx response always means `refused`. Without one, the message may have arrived if any of it was sent. nodemailer reports
 * lost connections and timeouts the same way before and after that (ECONNECTION, ETIMEDOUT, command CONN), so the caller passes
 * `bodyStarted`.
 */
export function toDeliveryResult(failure: SmtpFailure, bodyStarted: boolean): DeliveryResult {
  const { responseCode = 0, command = '' } = failure;
  const responded = responseCode >= 400 && responseCode <= 599;
  if (bodyStarted && !responded) return { outcome: 'unknown', reason: describeReason(failure) };
  const permanent = responded && responseCode >= 500 && MESSAGE_COMMANDS.includes(command);
  const result = refused(permanent, describeReason(failure));
  return permanent && command === 'RCPT TO' ? { ...result, bounced: true } : result;
}

/** Codes only: the text of a response may repeat the address. */
function describeReason({ code, originalCode, timeoutType, command, response, responseCode }: SmtpFailure): string {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const cause = responseCode ? [responseCode, enhanced] : [code ?? 'EUNKNOWN', originalCode ?? timeoutType];
  return [...cause, command && `(${command})`].filter(Boolean).join(' ');
}
