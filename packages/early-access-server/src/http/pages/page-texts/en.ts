/** The texts that only the server's own pages have. */
export const en = {
  unconfirmedText: 'We sent you an email. Open the link in it to confirm your address.',
  duplicateText: "There is nothing left to do. We'll email you when the beta is ready.",
  invalidText: 'Go back and check the address. It should look like you@example.com.',
  missingFieldTitle: 'Something is missing',
  missingFieldText: 'Go back and complete this field:',
  invalidFieldTitle: 'Something needs a change',
  invalidFieldText: 'Go back and check this field:',
  failedText: 'Go back and send the form once more in a minute.',
  refusedTitle: 'This form cannot sign you up here',
  noOriginText:
    'The page around it does not say which site it belongs to. Open the page in a tab of its own and send the form there. If this is your page: a sandboxed iframe needs “allow-same-origin”, and the page a referrer policy that sends its origin.',
  foreignOriginText:
    'This server does not take signups from the page that you came from. If this is your page, its origin has to be allowed in the settings of the server.',
  confirmTitle: 'Confirm your email address',
  confirmText: 'One click, and you are on the list.',
  confirmButton: 'Confirm',
  confirmNeedsScripts: 'This page needs JavaScript. Turn it on, or open the link in another browser.',
  alreadyConfirmedTitle: 'You are on the list already!',
  expiredTitle: 'This link has expired',
  expiredText: 'A confirmation link works for a week. We can send you a new one.',
  renewButton: 'Send a new link',
  openInbox: 'Open your inbox',
  renewedTitle: 'Check your inbox',
  renewedText: 'If your address is not confirmed yet, a new email is on its way.',
  unknownTitle: 'This link does not work',
  unknownText: 'It may be incomplete: open it again from the email, or copy all of it.',
  tryLater: 'That did not work. Please try again in a minute.',
  unsubscribeTitle: 'Unsubscribe?',
  unsubscribeText: 'You will get no more emails from us.',
  unsubscribeButton: 'Unsubscribe',
  unsubscribedTitle: 'You are unsubscribed',
  unsubscribedText: 'You will get no more emails from us. If you change your mind, sign up again on our page.',
  back: 'Back to the page',
};

export type OwnPageTexts = Readonly<Record<keyof typeof en, string>>;
