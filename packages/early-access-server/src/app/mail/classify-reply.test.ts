import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { OTHER_REASONS, readTable, realReplies } from '../../fixtures/smtp-replies.ts';
import { classifyReply, type Refusal } from './classify-reply.ts';

const COMMANDS = {
  RCPT: 'RCPT TO',
  MAIL: 'MAIL FROM',
  DATA: 'DATA',
  AUTH: 'AUTH PLAIN',
  connect: 'CONN',
  CONN: 'CONN',
} as const;

/**
 * The results of the table in the words of the code. A pause for a refusal of one email begins once another recipient
 * is refused, too.
 */
const KINDS: Readonly<Record<string, readonly Refusal[]>> = {
  bounced: ['no-mailbox'],
  'retry, then failed': ['later'],
  retry: ['later'],
  pause: ['our-problem', 'perhaps-ours'],
  failed: ['content'],
  'failed; pause after three people in a row': ['unclear'],
  'retry; the page says what the server said': ['unreachable'],
};

function toCommand(name: string | undefined): string {
  const command = Object.entries(COMMANDS).find(([key]) => key === name)?.[1];
  if (command === undefined) throw new Error(`unknown command ${name}`);
  return command;
}

describe('classifyReply', () => {
  it.each(readTable('smtp-replies.tsv'))('%s: %s -> %s', (command, text = '', kind = '') => {
    expect(KINDS[kind]).toContain(classifyReply({ command: toCommand(command), text }));
  });

  it.each(realReplies())('$server, $command: $text -> $kind', ({ command, text, kind }) => {
    expect(classifyReply({ command: toCommand(command), text })).toBe(kind);
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
    ['RCPT TO', '551 User not local', 'no-mailbox'],
    ['RCPT TO', '551', 'no-mailbox'],
    ['RCPT TO', '550 Requested action not taken', 'unclear'],
    ['RCPT TO', '554 5.5.1 no', 'unclear'],
    ['RCPT TO', '550', 'unclear'],
    ['RCPT TO', 'nonsense', 'unclear'],
    ['DATA', '554 5.7.1 Message rejected as spam', 'unclear'],
    ['DATA', '554 5.7.1 Our system has detected unsolicited mail from your IP address', 'perhaps-ours'],
    ['DATA', '554 5.6.0 Message content rejected', 'content'],
    ['MAIL FROM', '552 Message size exceeds the maximum', 'content'],
    ['DATA', '552 Message size limit exceeded', 'content'],
    ['RCPT TO', '552 Mailbox size limit exceeded', 'later'],
    ['MAIL FROM', '550 5.1.1 No such user', 'our-problem'],
    ['MAIL FROM', '550 not you', 'our-problem'],
    ['CONN', '554 No SMTP service here', 'our-problem'],
    ['AUTH PLAIN', '535 5.7.8 Authentication failed', 'our-problem'],
    ['AUTH PLAIN', '454 4.7.0 Temporary authentication failure', 'unreachable'],
  ])('%s: %s -> %s', (command, text, refusal) => expect(classifyReply({ command, text })).toBe(refusal));

  it('calls every 4xx reply temporary, and blames a mailbox only for replies about the email', () => {
    const command = fc.constantFrom('CONN', 'EHLO', 'AUTH PLAIN', 'MAIL FROM', 'RCPT TO', 'DATA', '');
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), command, fc.string(), (code, command, words) => {
        const refusal = classifyReply({ command, text: `${code} ${words}` });
        if (code < 500) expect(['later', 'unreachable']).toContain(refusal);
        if (refusal === 'no-mailbox') expect(['RCPT TO', 'DATA']).toContain(command);
      }),
    );
  });

  it('never says that a mailbox does not exist for a reason that lies elsewhere, with any code, command or words around it', () => {
    const command = fc.constantFrom(...Object.values(COMMANDS));
    const code = fc.integer({ min: 500, max: 599 }).map((number) => `${number} `);
    const enhanced = fc.constantFrom(
      '',
      '5.1.1 ',
      '5.1.2 ',
      '5.1.10 ',
      '5.2.1 ',
      '5.0.0 ',
      '5.4.1 ',
      '5.5.0 ',
      '5.7.1 ',
    );
    const reasons = fc.array(fc.constantFrom(...OTHER_REASONS), { minLength: 1, maxLength: 3 });
    const between = fc.constantFrom('. ', '; ', ': ', ' - ', '\n550 ', '\n550-5.1.1 ');
    const prefix = fc.constantFrom('', 'smtp; ', 'smtp;');
    fc.assert(
      fc.property(
        command,
        prefix,
        code,
        enhanced,
        reasons,
        between,
        (command, prefix, code, enhanced, reasons, between) => {
          const text = prefix + code + enhanced + reasons.join(between);
          expect(classifyReply({ command, text })).not.toBe('no-mailbox');
          expect(classifyReply({ command, text: enhanced + reasons.join(between) })).not.toBe('no-mailbox');
        },
      ),
    );
  });

  it('needs a code or a statement about the mailbox: arbitrary words bounce nobody', () => {
    const word = fc.constantFrom(
      'user',
      'mailbox',
      'message',
      'the',
      'rejected',
      'refused',
      'for',
      'policy',
      'sorry',
      'host',
      'server',
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(classifyReply({ command: 'RCPT TO', text: `550 ${words.join(' ')}` })).not.toBe('no-mailbox');
      }),
    );
  });

  it('reads a bounded part of a reply in linear time', () => {
    const text = `550 ${'user is not '.repeat(100_000)}`;
    expect(classifyReply({ command: 'RCPT TO', text })).toBe('unclear');
  });
});
