import { fc } from '@early-access-kit/testkit/fast-check';
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
  REPORTED,
  RESEND_BOUNCE,
  RESEND_COMPLAINT,
  SES_BOUNCE,
  SES_COMPLAINT,
} from '../../fixtures/mail-reports.ts';
import { OTHER_REASONS, realReplies } from '../../fixtures/smtp-replies.ts';
import { classifyReply } from '../mail/classify-reply.ts';
import { MAIL_PROVIDERS, type MailProvider, PARSE_MAIL_EVENTS } from './mail-event.ts';

const MAIL_EVENT = { email: REPORTED, isComplaint: false, messageKey: null };
const BOUNCED = [{ ...MAIL_EVENT, event: 'bounce' }];
const LEFT = [{ ...MAIL_EVENT, event: 'unsubscribe' }];
const COMPLAINED = [{ ...MAIL_EVENT, event: 'unsubscribe', isComplaint: true }];
const KEY = '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324';
const postmark = (changes: object) => ({ ...POSTMARK_BOUNCE, ...changes });
const change = (changes: object) => ({ ...POSTMARK_CHANGE, ...changes });
const brevo = (changes: object) => ({ ...BREVO_BOUNCE, ...changes });
const mailgun = (data: object) => ({ signature: {}, 'event-data': data });
const failed = (changes: object) => mailgun({ ...MAILGUN_BOUNCE, ...changes });
const mailgunReply = (enhanced: string, message = '', code = 550) =>
  failed({ 'delivery-status': { ...MAILGUN_BOUNCE['delivery-status'], code, 'enhanced-code': enhanced, message } });
function sesBounce(changes: object, recipients: readonly object[] = SES_BOUNCE.bounce.bouncedRecipients) {
  return { ...SES_BOUNCE, bounce: { ...SES_BOUNCE.bounce, ...changes, bouncedRecipients: recipients } };
}
/** A hard bounce of each provider that repeats this reply. */
function reportedBounce(reply: string): readonly (readonly [MailProvider, unknown])[] {
  const { 1: code = 550, 2: rest = reply } = /^(5\d\d)[ -](.*)$/s.exec(reply) ?? [];
  return [
    ['ses', sesBounce({}, [{ emailAddress: REPORTED, diagnosticCode: `smtp; ${reply}` }])],
    ['postmark', postmark({ Details: `smtp;${reply}` })],
    ['resend', resend({ bounce: { type: 'Permanent', subType: 'General', message: reply } })],
    ['mailgun', mailgunReply('', rest, Number(code))],
    ['brevo', brevo({ reason: reply })],
  ];
}
const resend = (changes: object) => ({ ...RESEND_BOUNCE, data: { ...RESEND_BOUNCE.data, ...changes } });

describe('the report of a provider', () => {
  it.each<[MailProvider, string, unknown, readonly object[]]>([
    ['postmark', 'a hard bounce', POSTMARK_BOUNCE, BOUNCED],
    ['postmark', 'a spam complaint', POSTMARK_COMPLAINT, COMPLAINED],
    ['postmark', 'a bad address', postmark({ Type: 'BadEmailAddress', Details: '' }), BOUNCED],
    ['postmark', 'a hard bounce without a reason', postmark({ Details: 'Test bounce details' }), []],
    ['postmark', 'a soft bounce', postmark({ Type: 'SoftBounce', TypeCode: 4096 }), []],
    ['postmark', 'a block', postmark({ Type: 'Blocked' }), []],
    ['postmark', 'a hard bounce that blames us', postmark({ Details: 'smtp;550 5.7.1 not allowed' }), []],
    ['postmark', 'an unsubscription', postmark({ Type: 'Unsubscribe' }), LEFT],
    ['postmark', 'a delivery', { RecordType: 'Delivery', Recipient: REPORTED }, []],
    ['postmark', 'a suppressed mailbox', POSTMARK_CHANGE, BOUNCED],
    ['postmark', 'a complaint in a broadcast stream', change({ SuppressionReason: 'SpamComplaint' }), COMPLAINED],
    ['postmark', 'an unsubscription in a broadcast stream', change({ SuppressionReason: 'ManualSuppression' }), LEFT],
    [
      'postmark',
      'a suppression by an admin',
      change({ SuppressionReason: 'ManualSuppression', Origin: 'Customer' }),
      [],
    ],
    ['postmark', 'a reactivation', change({ SuppressSending: false, SuppressionReason: null }), []],
    ['postmark', 'the end of a suppression', change({ SuppressSending: false }), []],
    ['postmark', 'a suppression for another reason', change({ SuppressionReason: 'Other', Origin: 'Recipient' }), []],
    ['resend', 'a permanent bounce', RESEND_BOUNCE, BOUNCED],
    ['resend', 'a delivery after a bounce', { ...RESEND_BOUNCE, type: 'email.delivered' }, []],
    [
      'resend',
      'a transient bounce in the words of a permanent one',
      resend({ bounce: { ...RESEND_BOUNCE.data.bounce, type: 'Transient' } }),
      [],
    ],
    ['resend', 'a bounce without a reason', resend({ bounce: { message: 'gone' } }), []],
    [
      'resend',
      'a bounce whose message says why',
      resend({ bounce: { message: '550 5.1.1 The mailbox does not exist' } }),
      BOUNCED,
    ],
    [
      'resend',
      'a bounce whose diagnostic code says why',
      resend({ bounce: { diagnosticCode: ['smtp; 550 5.5.0 Requested action not taken: mailbox unavailable'] } }),
      BOUNCED,
    ],
    [
      'resend',
      'a suppressed mailbox',
      { ...resend({ suppressed: { type: 'OnAccountSuppressionList' } }), type: 'email.suppressed' },
      BOUNCED,
    ],
    ['resend', 'a transient bounce', resend({ bounce: { type: 'Transient', subType: 'MailboxFull' } }), []],
    ['resend', 'an undetermined bounce', resend({ bounce: { type: 'Undetermined' } }), []],
    ['resend', 'a bounce of one of two', resend({ to: [REPORTED, 'you@resend.dev'] }), []],
    ['resend', 'a complaint', RESEND_COMPLAINT, COMPLAINED],
    ['resend', 'a delivery', { ...RESEND_COMPLAINT, type: 'email.delivered' }, []],
    ['mailgun', 'a permanent failure', mailgun(MAILGUN_BOUNCE), BOUNCED],
    ['mailgun', 'a temporary failure', mailgun(MAILGUN_SOFT_BOUNCE), []],
    ['mailgun', 'a temporary failure in the words of a permanent one', failed({ severity: 'temporary' }), []],
    [
      'mailgun',
      'a soft bounce in the words of a hard one',
      failed({ 'delivery-status': { ...MAILGUN_BOUNCE['delivery-status'], 'bounce-type': 'soft' } }),
      [],
    ],
    ['mailgun', 'reasons that contain others', failed({ reason: 'not-suppress-complaint' }), []],
    ['mailgun', 'reasons that begin with others', failed({ reason: 'suppress-complaints' }), []],
    ['mailgun', 'a complaint', mailgun(MAILGUN_COMPLAINT), COMPLAINED],
    ['mailgun', 'an unsubscription', mailgun({ ...MAILGUN_COMPLAINT, event: 'unsubscribed' }), LEFT],
    [
      'mailgun',
      'an address that bounced before',
      failed({ reason: 'suppress-bounce', 'delivery-status': { code: 605 } }),
      BOUNCED,
    ],
    [
      'mailgun',
      'an address that complained before',
      failed({ reason: 'suppress-complaint', 'delivery-status': { code: 607 } }),
      LEFT,
    ],
    ['mailgun', 'a message that is too old', failed({ reason: 'old' }), []],
    ['mailgun', 'an inherited reason', failed({ reason: 'toString' }), []],
    ['mailgun', 'a refused sender', mailgunReply('5.7.26'), []],
    ['mailgun', 'a full mailbox', mailgunReply('5.2.2'), []],
    ['mailgun', 'refused content', mailgunReply('', '552 5.3.4 Message too big'), []],
    ['mailgun', 'a reply with an address like a code', mailgunReply('5.1.1', 'from 5.7.1.9'), BOUNCED],
    ['mailgun', 'a listed sender', mailgunReply('', '550 Service unavailable; blocked using Spamhaus'), []],
    ['mailgun', 'a full mailbox, in words', mailgunReply('5.0.0', '550 Mailbox is full'), []],
    [
      'mailgun',
      'a reply of several lines',
      mailgunReply('5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.'),
      BOUNCED,
    ],
    ['brevo', 'a hard bounce of a spam filter, in words', brevo({ reason: '550 Your IP is on a blacklist' }), []],
    ['brevo', 'a hard bounce', BREVO_BOUNCE, BOUNCED],
    ['brevo', 'a hard bounce for another reason', brevo({ reason: 'server is down' }), []],
    ['brevo', 'an invalid address', brevo({ event: 'invalid_email', reason: '' }), BOUNCED],
    ['brevo', 'a complaint', BREVO_COMPLAINT, COMPLAINED],
    ['brevo', 'an unsubscription', brevo({ event: 'unsubscribed' }), LEFT],
    ['brevo', 'a soft bounce', brevo({ event: 'soft_bounce' }), []],
    ['brevo', 'a block', brevo({ event: 'blocked' }), []],
    ['brevo', 'a batch', [BREVO_BOUNCE, brevo({ event: 'delivered' }), BREVO_COMPLAINT], [...BOUNCED, ...COMPLAINED]],
    ['ses', 'a permanent bounce', SES_BOUNCE, BOUNCED],
    [
      'ses',
      'a permanent bounce of a notification',
      { ...SES_BOUNCE, eventType: undefined, notificationType: 'Bounce' },
      BOUNCED,
    ],
    ['ses', 'a delivery with the fields of a bounce', { ...SES_BOUNCE, eventType: 'Delivery' }, []],
    ['ses', 'a delivery with the fields of a complaint', { ...SES_COMPLAINT, eventType: 'Delivery' }, []],
    ['ses', 'a bounce with a status only', sesBounce({}, [{ emailAddress: REPORTED, status: '5.1.1' }]), BOUNCED],
    ['ses', 'a transient bounce', sesBounce({ bounceType: 'Transient' }), []],
    ['ses', 'an undetermined bounce', sesBounce({ bounceType: 'Undetermined' }), []],
    [
      'ses',
      'a reply that blames us, below a general status',
      sesBounce({}, [
        { emailAddress: REPORTED, status: '5.0.0', diagnosticCode: 'smtp; 554 5.7.1 Relay access denied' },
      ]),
      [],
    ],
    [
      'ses',
      'an address on the suppression list',
      sesBounce({ bounceSubType: 'OnAccountSuppressionList' }, [
        {
          emailAddress: REPORTED,
          status: '5.1.1',
          diagnosticCode:
            'Amazon SES did not send the message to this address because it is on the suppression list for your account.',
        },
      ]),
      BOUNCED,
    ],
    ['ses', 'a bounce that blames us', sesBounce({}, [{ emailAddress: REPORTED, status: '5.7.1' }]), []],
    [
      'ses',
      'a bounce of several',
      sesBounce({ bounceSubType: 'NoEmail' }, [
        { emailAddress: 'ADA@Example.org' },
        { emailAddress: 'nonsense' },
        {},
        { emailAddress: 'b@x.io' },
      ]),
      [...BOUNCED, { ...MAIL_EVENT, event: 'bounce', email: 'b@x.io' }],
    ],
    ['ses', 'a general bounce without a reason', sesBounce({}, [{ emailAddress: REPORTED }]), []],
    ['ses', 'a complaint', SES_COMPLAINT, COMPLAINED],
    [
      'ses',
      'a report that it is not spam',
      { ...SES_COMPLAINT, complaint: { ...SES_COMPLAINT.complaint, complaintFeedbackType: 'not-spam' } },
      [],
    ],
    ['ses', 'a delivery', { eventType: 'Delivery', delivery: { recipients: [REPORTED] } }, []],
  ])('%s: %s', (provider, _, body, events) => expect(PARSE_MAIL_EVENTS[provider](body)).toEqual(events));

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
    const keys = [
      `<${KEY}@acme.example>`,
      `${KEY}@acme.example`,
      KEY,
      '<other@acme.example>',
      `<x-${KEY}@acme.example>`,
      '',
    ].map((id) => PARSE_MAIL_EVENTS[provider](body(id))[0]?.messageKey);
    expect(keys).toEqual([KEY, KEY, null, null, null, null]);
  });

  it('is read up to a thousand items', () => {
    expect(PARSE_MAIL_EVENTS.brevo(Array.from({ length: 1_001 }, () => BREVO_BOUNCE))).toHaveLength(1_000);
  });

  it.each(MAIL_PROVIDERS)('%s: is none if it is something else', (provider) => {
    const others = [null, undefined, 7, '', 'Bounce', [], [[]], [null], {}, { bounce: 1, 'event-data': [], data: 'x' }];
    expect(others.flatMap((body) => PARSE_MAIL_EVENTS[provider](body))).toEqual([]);
  });
});
