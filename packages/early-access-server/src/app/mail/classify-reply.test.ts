import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyReply, type Refusal } from './classify-reply.ts';

const COMMANDS = { RCPT: 'RCPT TO', MAIL: 'MAIL FROM', DATA: 'DATA', connect: 'CONN' } as const;

/** The results of the table in the words of the code. */
const KINDS: Readonly<Record<string, Refusal>> = {
  bounced: 'no-mailbox',
  'retry, then failed': 'later',
  retry: 'later',
  pause: 'our-problem',
  failed: 'content',
  'failed; pause after three people in a row': 'unclear',
  'retry; the page says what the server said': 'later',
};

/** Replies of real servers. */
const REPLIES = readFileSync(new URL('../../fixtures/smtp-replies.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

function toCommand(name: string | undefined): string {
  const command = Object.entries(COMMANDS).find(([key]) => key === name)?.[1];
  if (command === undefined) throw new Error(`unknown command ${name}`);
  return command;
}

describe('classifyReply', () => {
  it.each(REPLIES)('%s: %s -> %s', (command, text = '', kind = '') => {
    expect(KINDS).toHaveProperty(kind);
    expect(classifyReply({ command: toCommand(command), text })).toBe(KINDS[kind]);
  });

  it.each<[string, string, Refusal]>([
    ['RCPT TO', '550 5.1.1 <relay-quota@spam.example>: Recipient address rejected: User unknown', 'no-mailbox'],
    [
      'RCPT TO',
      '550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 Try https://support.google.com/?p=spam',
      'no-mailbox',
    ],
    ['RCPT TO', '550 5.1.2 Host unknown', 'no-mailbox'],
    ['DATA', '550 5.1.6 Mailbox has moved', 'no-mailbox'],
    ['RCPT TO', '550 5.0.0 Mailbox unavailable', 'no-mailbox'],
    ['RCPT TO', '551 User not local', 'unclear'],
    ['RCPT TO', '550 Requested action not taken', 'unclear'],
    ['RCPT TO', '554 5.5.1 no', 'unclear'],
    ['RCPT TO', '550', 'unclear'],
    ['RCPT TO', 'nonsense', 'unclear'],
    ['DATA', '554 5.7.1 Message rejected as spam', 'unclear'],
    ['DATA', '554 5.7.1 Our system has detected unsolicited mail from your IP address', 'our-problem'],
    ['DATA', '554 5.6.0 Message content rejected', 'content'],
    ['MAIL FROM', '552 Message size exceeds the maximum', 'content'],
    ['DATA', '552 Message size limit exceeded', 'content'],
    ['RCPT TO', '552 Mailbox size limit exceeded', 'later'],
    ['MAIL FROM', '550 5.1.1 No such user', 'our-problem'],
    ['MAIL FROM', '550 not you', 'our-problem'],
    ['CONN', '554 No SMTP service here', 'our-problem'],
    ['AUTH PLAIN', '535 5.7.8 Authentication failed', 'our-problem'],
    ['AUTH PLAIN', '454 4.7.0 Temporary authentication failure', 'later'],
  ])('%s: %s -> %s', (command, text, refusal) => expect(classifyReply({ command, text })).toBe(refusal));

  it('calls every 4xx reply temporary, and blames a mailbox only for replies about the email', () => {
    const command = fc.constantFrom('CONN', 'EHLO', 'AUTH PLAIN', 'MAIL FROM', 'RCPT TO', 'DATA', '');
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), command, fc.string(), (code, command, words) => {
        const refusal = classifyReply({ command, text: `${code} ${words}` });
        if (code < 500) expect(refusal).toBe('later');
        if (refusal === 'no-mailbox') expect(['RCPT TO', 'DATA']).toContain(command);
      }),
    );
  });
});
