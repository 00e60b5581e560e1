import { classifyReply } from '../../app/mail/classify-reply.ts';
import type { DeliveryResult } from '../../app/ports/mail-transport.ts';
import { redact } from '../../app/ports/redact.ts';
import { refused } from '../mime.ts';

/** The fields that nodemailer adds to an `Error`, as far as they are used here. */
export interface SmtpFailure {
  readonly code?: string | undefined;
  /** A more specific cause, such as ECONNREFUSED. */
  readonly originalCode?: string | undefined;
  readonly timeoutType?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** The most characters of a reply that are stored and shown. */
const MAX_WORDS = 300;
/** Shorter local parts are not removed, because they often occur in other words. */
const MIN_NAME = 3;

/**
 * Turns an SMTP failure into a delivery result.
 *
 * A 4xx or 5xx response always means `refused`. Without one, the message may have arrived if any of it was sent.
 * nodemailer reports lost connections and timeouts the same way before and after that (ECONNECTION, ETIMEDOUT, command
 * CONN), so the caller passes `bodyStarted`. `recipient` is removed from the reason.
 */
export function toDeliveryResult(failure: SmtpFailure, bodyStarted: boolean, recipient = ''): DeliveryResult {
  const { responseCode = 0, response, command = '' } = failure;
  const responded = responseCode >= 400 && responseCode <= 599;
  const reason = describeReason(failure, recipient);
  if (bodyStarted && !responded) return { outcome: 'unknown', reason };
  return refused(
    responded ? classifyReply({ text: response ?? String(responseCode), command }) : 'unreachable',
    reason,
  );
}

/** The mail server's reply, and the command it was a reply to. */
function describeReason(
  { code, originalCode, timeoutType, command, response, responseCode }: SmtpFailure,
  recipient: string,
): string {
  const cause = responseCode
    ? withoutAddresses(response ?? String(responseCode), recipient)
    : [code ?? 'EUNKNOWN', originalCode ?? timeoutType].filter(Boolean).join(' ');
  return command ? `${cause} (${command})` : cause;
}

/** The reply on one line, without addresses. Servers repeat the recipient, sometimes without its domain. */
function withoutAddresses(response: string, recipient: string): string {
  const [first = '', ...rest] = response.split(/\s*[\r\n]+\s*/);
  const words = rest.map((line) => line.replace(/^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3})?\s*/, ''));
  const line = [first.replace(/^(\d{3})-/, '$1 '), ...words].join(' ').trim();
  const name = recipient.slice(0, recipient.lastIndexOf('@'));
  const isNamed = (word: string) => name.length >= MIN_NAME && word.toLowerCase() === name.toLowerCase();
  const parts = redact(recipient === '' ? line : line.replaceAll(recipient, '[address]')).split(/([\s<>()"':;,[\]]+)/);
  const text = parts.map((part) => (isNamed(part) ? '[address]' : part)).join('');
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}
