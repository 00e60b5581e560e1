import { refused } from './message.ts';
import type { DeliveryResult } from './transport.ts';

/** What is looked at of an error of the mail library, which sets these on a plain `Error`. */
export interface SmtpFailure {
  readonly code?: string | undefined;
  /** The library's finer cause, such as ECONNREFUSED or GREETING_TIMEOUT. */
  readonly originalCode?: string | undefined;
  readonly timeoutType?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** The commands whose refusal says something about this mail. One of the sign-in or of the sender is for the operator to mend. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA'];

/**
 * Reads what a failure means for the mail.
 *
 * An answer of 400 to 599 is a refusal at any time. Without an answer it depends on how far things were: the library reports
 * a lost connection and a timeout alike before and after the message (ECONNECTION, ETIMEDOUT, command CONN), so that the
 * caller has to say whether the message had begun to go out. Once it had, it may have arrived.
 */
export function outcomeOf(failure: SmtpFailure, handedOver: boolean): DeliveryResult {
  const { responseCode = 0, command = '' } = failure;
  const answered = responseCode >= 400 && responseCode <= 599;
  if (handedOver && !answered) return { outcome: 'unknown', reason: reasonOf(failure) };
  return refused(answered && responseCode >= 500 && ABOUT_THE_MAIL.includes(command), reasonOf(failure));
}

/** Codes only: the text of an answer repeats addresses. */
function reasonOf({ code, originalCode, timeoutType, command, response, responseCode }: SmtpFailure): string {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const cause = responseCode ? [responseCode, enhanced] : [code ?? 'EUNKNOWN', originalCode ?? timeoutType];
  return [...cause, command && `(${command})`].filter(Boolean).join(' ');
}
