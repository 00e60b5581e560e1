import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BREVO_BOUNCE,
  BREVO_COMPLAINT,
  MAILGUN_BOUNCE,
  MAILGUN_COMPLAINT,
  MAILGUN_SOFT_BOUNCE,
  POSTMARK_BOUNCE,
  POSTMARK_CHANGE,
  POSTMARK_COMPLAINT,
  RESEND_BOUNCE,
  RESEND_COMPLAINT,
  SES_BOUNCE,
  SES_COMPLAINT,
} from '../../fixtures/mail-reports.ts';
import { OTHER_REASONS, realReplies } from '../../fixtures/smtp-replies.ts';
import { classifyReply } from '../mail/classify-reply.ts';
import { MAIL_PROVIDERS, type MailProvider, PARSE_MAIL_EVENTS } from './mail-event.ts';

/** Reports of late refusals, and what the person is afterwards. */
const CASES: readonly {
  readonly provider: MailProvider;
  readonly name: string;
  readonly expect: string;
  readonly body: object;
}[] = JSON.parse(readFileSync(new URL('../../fixtures/provider-reports.json', import.meta.url), 'utf8'));

const NOT_SPAM = { isComplaint: false, messageKey: null };
const bounced = (email: string) => [{ email, event: 'bounce', ...NOT_SPAM }];
const left = (email: string) => [{ email, event: 'unsubscribe', ...NOT_SPAM }];
const complained = (email: string) => [{ email, event: 'unsubscribe', isComplaint: true, messageKey: null }];
const KEY = '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324';
const mailgun = (data: object) => ({ signature: {}, 'event-data': data });
const mailgunReply = (enhanced: string, message = '', code = 550) => ({
  ...MAILGUN_BOUNCE,
  'delivery-status': { ...MAILGUN_BOUNCE['delivery-status'], code, 'enhanced-code': enhanced, message },
});
function sesBounce(changes: object, recipients: readonly object[] = SES_BOUNCE.bounce.bouncedRecipients) {
  return { ...SES_BOUNCE, bounce: { ...SES_BOUNCE.bounce, ...changes, bouncedRecipients: recipients } };
}
/** A hard bounce of each provider that repeats this reply. */
function reportedBounce(reply: string): readonly (readonly [MailProvider, unknown])[] {
  const { 1: code = 550, 2: rest = reply } = /^(5\d\d)[ -](.*)$/s.exec(reply) ?? [];
  return [
    ['ses', sesBounce({}, [{ emailAddress: 'a@x.io', diagnosticCode: `smtp; ${reply}` }])],
    ['postmark', { ...POSTMARK_BOUNCE, Details: `smtp;${reply}` }],
    ['resend', resend({ bounce: { type: 'Permanent', subType: 'General', message: reply } })],
    ['mailgun', mailgun(mailgunReply('', rest, Number(code)))],
    ['brevo', { ...BREVO_BOUNCE, reason: reply }],
  ];
}
const resend = (changes: object) => ({ ...RESEND_BOUNCE, data: { ...RESEND_BOUNCE.data, ...changes } });

describe('the report of a provider', () => {
  it.each<[MailProvider, string, unknown, readonly object[]]>([
    ['postmark', 'a hard bounce', POSTMARK_BOUNCE, bounced('john@example.com')],
    ['postmark', 'a spam complaint', POSTMARK_COMPLAINT, complained('john@example.com')],
    [
      'postmark',
      'a bad address',
      { ...POSTMARK_BOUNCE, Type: 'BadEmailAddress', Details: '' },
      bounced('john@example.com'),
    ],
    ['postmark', 'a hard bounce without a reason', { ...POSTMARK_BOUNCE, Details: 'Test bounce details' }, []],
    ['postmark', 'a soft bounce', { ...POSTMARK_BOUNCE, Type: 'SoftBounce', TypeCode: 4096 }, []],
    ['postmark', 'a block', { ...POSTMARK_BOUNCE, Type: 'Blocked' }, []],
    ['postmark', 'a hard bounce that blames us', { ...POSTMARK_BOUNCE, Details: 'smtp;550 5.7.1 not allowed' }, []],
    ['postmark', 'an unsubscription', { ...POSTMARK_BOUNCE, Type: 'Unsubscribe' }, left('john@example.com')],
    ['postmark', 'a delivery', { RecordType: 'Delivery', Recipient: 'john@example.com' }, []],
    ['postmark', 'a suppressed mailbox', POSTMARK_CHANGE, bounced('bounced-address@wildbit.com')],
    [
      'postmark',
      'a complaint in a broadcast stream',
      { ...POSTMARK_CHANGE, SuppressionReason: 'SpamComplaint' },
      complained('bounced-address@wildbit.com'),
    ],
    [
      'postmark',
      'an unsubscription in a broadcast stream',
      { ...POSTMARK_CHANGE, SuppressionReason: 'ManualSuppression' },
      left('bounced-address@wildbit.com'),
    ],
    [
      'postmark',
      'a suppression by an admin',
      { ...POSTMARK_CHANGE, SuppressionReason: 'ManualSuppression', Origin: 'Customer' },
      [],
    ],
    ['postmark', 'a reactivation', { ...POSTMARK_CHANGE, SuppressSending: false, SuppressionReason: null }, []],
    ['resend', 'a permanent bounce', RESEND_BOUNCE, bounced('bounced@resend.dev')],
    ['resend', 'a bounce without a reason', resend({ bounce: { message: 'gone' } }), []],
    [
      'resend',
      'a bounce whose message says why',
      resend({ bounce: { message: '550 5.1.1 The mailbox does not exist' } }),
      bounced('bounced@resend.dev'),
    ],
    [
      'resend',
      'a bounce whose diagnostic code says why',
      resend({ bounce: { diagnosticCode: ['smtp; 550 5.5.0 Requested action not taken: mailbox unavailable'] } }),
      bounced('bounced@resend.dev'),
    ],
    [
      'resend',
      'a suppressed mailbox',
      { ...resend({ suppressed: { type: 'OnAccountSuppressionList' } }), type: 'email.suppressed' },
      bounced('bounced@resend.dev'),
    ],
    ['resend', 'a transient bounce', resend({ bounce: { type: 'Transient', subType: 'MailboxFull' } }), []],
    ['resend', 'an undetermined bounce', resend({ bounce: { type: 'Undetermined' } }), []],
    ['resend', 'a bounce of one of two', resend({ to: ['bounced@resend.dev', 'you@resend.dev'] }), []],
    ['resend', 'a complaint', RESEND_COMPLAINT, complained('complained@resend.dev')],
    ['resend', 'a delivery', { ...RESEND_COMPLAINT, type: 'email.delivered' }, []],
    ['mailgun', 'a permanent failure', mailgun(MAILGUN_BOUNCE), bounced('badrecipient@sample.mailgun.com')],
    ['mailgun', 'a temporary failure', mailgun(MAILGUN_SOFT_BOUNCE), []],
    ['mailgun', 'a complaint', mailgun(MAILGUN_COMPLAINT), complained('recipient@sample.mailgun.com')],
    [
      'mailgun',
      'an unsubscription',
      mailgun({ ...MAILGUN_COMPLAINT, event: 'unsubscribed' }),
      left('recipient@sample.mailgun.com'),
    ],
    [
      'mailgun',
      'an address that bounced before',
      mailgun({ ...MAILGUN_BOUNCE, reason: 'suppress-bounce', 'delivery-status': { code: 605 } }),
      bounced('badrecipient@sample.mailgun.com'),
    ],
    [
      'mailgun',
      'an address that complained before',
      mailgun({ ...MAILGUN_BOUNCE, reason: 'suppress-complaint', 'delivery-status': { code: 607 } }),
      left('badrecipient@sample.mailgun.com'),
    ],
    ['mailgun', 'a message that is too old', mailgun({ ...MAILGUN_BOUNCE, reason: 'old' }), []],
    ['mailgun', 'an inherited reason', mailgun({ ...MAILGUN_BOUNCE, reason: 'toString' }), []],
    ['mailgun', 'a refused sender', mailgun(mailgunReply('5.7.26')), []],
    ['mailgun', 'a full mailbox', mailgun(mailgunReply('5.2.2')), []],
    ['mailgun', 'refused content', mailgun(mailgunReply('', '552 5.3.4 Message too big')), []],
    [
      'mailgun',
      'a reply with an address like a code',
      mailgun(mailgunReply('5.1.1', 'from 5.7.1.9')),
      bounced('badrecipient@sample.mailgun.com'),
    ],
    ['mailgun', 'a listed sender', mailgun(mailgunReply('', '550 Service unavailable; blocked using Spamhaus')), []],
    ['mailgun', 'a full mailbox, in words', mailgun(mailgunReply('5.0.0', '550 Mailbox is full')), []],
    [
      'mailgun',
      'a reply of several lines',
      mailgun(mailgunReply('5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.')),
      bounced('badrecipient@sample.mailgun.com'),
    ],
    [
      'brevo',
      'a hard bounce of a spam filter, in words',
      { ...BREVO_BOUNCE, reason: '550 Your IP is on a blacklist' },
      [],
    ],
    ['brevo', 'a hard bounce', BREVO_BOUNCE, bounced('example@domain.com')],
    ['brevo', 'a hard bounce for another reason', { ...BREVO_BOUNCE, reason: 'server is down' }, []],
    [
      'brevo',
      'an invalid address',
      { ...BREVO_BOUNCE, event: 'invalid_email', reason: '' },
      bounced('example@domain.com'),
    ],
    ['brevo', 'a complaint', BREVO_COMPLAINT, complained('example@domain.com')],
    ['brevo', 'an unsubscription', { ...BREVO_BOUNCE, event: 'unsubscribed' }, left('example@domain.com')],
    ['brevo', 'a soft bounce', { ...BREVO_BOUNCE, event: 'soft_bounce' }, []],
    ['brevo', 'a block', { ...BREVO_BOUNCE, event: 'blocked' }, []],
    [
      'brevo',
      'a batch',
      [BREVO_BOUNCE, { ...BREVO_BOUNCE, event: 'delivered' }, BREVO_COMPLAINT],
      [...bounced('example@domain.com'), ...complained('example@domain.com')],
    ],
    ['ses', 'a permanent bounce', SES_BOUNCE, bounced('recipient@example.com')],
    [
      'ses',
      'a permanent bounce of a notification',
      { ...SES_BOUNCE, eventType: undefined, notificationType: 'Bounce' },
      bounced('recipient@example.com'),
    ],
    ['ses', 'a transient bounce', sesBounce({ bounceType: 'Transient' }), []],
    ['ses', 'an undetermined bounce', sesBounce({ bounceType: 'Undetermined' }), []],
    [
      'ses',
      'a reply that blames us, below a general status',
      sesBounce({}, [
        { emailAddress: 'a@x.io', status: '5.0.0', diagnosticCode: 'smtp; 554 5.7.1 Relay access denied' },
      ]),
      [],
    ],
    [
      'ses',
      'an address on the suppression list',
      sesBounce({ bounceSubType: 'OnAccountSuppressionList' }, [
        {
          emailAddress: 'a@x.io',
          status: '5.1.1',
          diagnosticCode:
            'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
        },
      ]),
      bounced('a@x.io'),
    ],
    ['ses', 'a bounce that blames us', sesBounce({}, [{ emailAddress: 'a@x.io', status: '5.7.1' }]), []],
    [
      'ses',
      'a bounce of several',
      sesBounce({ bounceSubType: 'NoEmail' }, [
        { emailAddress: 'A@X.io' },
        { emailAddress: 'nonsense' },
        {},
        { emailAddress: 'b@x.io' },
      ]),
      [...bounced('a@x.io'), ...bounced('b@x.io')],
    ],
    ['ses', 'a general bounce without a reason', sesBounce({}, [{ emailAddress: 'a@x.io' }]), []],
    ['ses', 'a complaint', SES_COMPLAINT, complained('richard@example.com')],
    [
      'ses',
      'a report that it is not spam',
      { ...SES_COMPLAINT, complaint: { ...SES_COMPLAINT.complaint, complaintFeedbackType: 'not-spam' } },
      [],
    ],
    ['ses', 'a delivery', { eventType: 'Delivery', delivery: { recipients: ['recipient@example.com'] } }, []],
  ])('%s: %s', (provider, _, body, events) => expect(PARSE_MAIL_EVENTS[provider](body)).toEqual(events));

  it.each(CASES)('$provider: $name makes the person $expect', ({ provider, body, expect: state }) => {
    const wrapped = provider === 'mailgun' ? mailgun(body) : body;
    const events = PARSE_MAIL_EVENTS[provider](JSON.parse(JSON.stringify(wrapped).replaceAll('$EMAIL', 'a@x.io')));
    expect(events).toEqual(state === 'bounced' ? bounced('a@x.io') : []);
  });

  it('bounces a person exactly if the same reply would over SMTP, for every real reply', () => {
    for (const { command, text } of realReplies()) {
      if (command !== 'RCPT' || !text.startsWith('5')) continue;
      const isBounce = classifyReply({ command: 'RCPT TO', text }) === 'no-mailbox';
      for (const [provider, body] of reportedBounce(text))
        expect([provider, text, PARSE_MAIL_EVENTS[provider](body).length > 0]).toEqual([provider, text, isBounce]);
    }
  });

  it('bounces nobody for a reason that lies elsewhere, in the words of a mail server or of the provider', () => {
    const reason = fc.constantFrom(...OTHER_REASONS);
    const code = fc.constantFrom('', '550 ', '554 ', '550-', '550 5.0.0 ', '550 5.1.1 ', '5.7.1 ', '550 5.2.1 ');
    fc.assert(
      fc.property(code, fc.array(reason, { minLength: 1, maxLength: 3 }), (code, reasons) => {
        for (const [provider, body] of reportedBounce(code + reasons.join('; ')))
          expect(PARSE_MAIL_EVENTS[provider](body)).toEqual([]);
      }),
    );
  });

  it.each<[MailProvider, (messageId: string) => unknown]>([
    ['ses', (messageId) => ({ ...SES_COMPLAINT, mail: { commonHeaders: { messageId } } })],
    ['mailgun', (id) => mailgun({ ...MAILGUN_COMPLAINT, message: { headers: { 'message-id': id } } })],
    ['brevo', (id) => ({ ...BREVO_COMPLAINT, 'message-id': id })],
  ])('%s: names the message by the key in its Message-ID, if it is one of ours', (provider, body) => {
    const keys = [`<${KEY}@acme.example>`, `${KEY}@acme.example`, KEY, '<other@acme.example>', ''].map(
      (id) => PARSE_MAIL_EVENTS[provider](body(id))[0]?.messageKey,
    );
    expect(keys).toEqual([KEY, KEY, null, null, null]);
  });

  it.each(MAIL_PROVIDERS)('%s: is none if it is something else', (provider) => {
    const others = [null, undefined, 7, '', 'Bounce', [], [[]], [null], {}, { bounce: 1, 'event-data': [], data: 'x' }];
    expect(others.flatMap((body) => PARSE_MAIL_EVENTS[provider](body))).toEqual([]);
  });
});
