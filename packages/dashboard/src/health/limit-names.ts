/** The server's rate limits, and the reasons why it refuses signups, in plain words. */
const NAMES: Readonly<Record<string, string>> = {
  signups: 'Signups of one visitor',
  signupsPerAddress: 'Signups of one address',
  signupForms: 'Forms without scripts',
  welcomeEmails: 'Welcome emails asked for by one visitor',
  welcomeEmailsPerAddress: 'Welcome emails to one address',
  sessions: 'Visits counted',
  summaries: 'Summaries in the overlay',
  wrongAdmins: 'Wrong admin addresses',
  allWrongAdmins: 'Wrong admin addresses, all visitors',
  signIns: 'Sign-ins',
  allSignIns: 'Sign-ins, all visitors',
  signInLinks: 'Sign-in links to one admin',
  adminRequests: 'Requests of the dashboard',
  testMails: 'Test emails',
  confirmations: 'Confirmations of one visitor',
  renewals: 'New confirmation emails asked for by one visitor',
  renewalsPerLink: 'New confirmation emails asked for with one link',
  newLinks: 'New links asked for by one visitor',
  newLinksPerMailbox: 'New links asked for to one mailbox',
  unsubscriptions: 'Unsubscribing',
  statusPages: 'Status pages opened by one visitor',
  addressChanges: 'Changes of address asked for by one person, or to one mailbox',
  humanChallenges: 'Challenges of the human check for one visitor',
  invites: 'Invitations verified and redeemed',
  wrongInviteKeys: 'Wrong keys for invitations',
  mailEvents: 'Reports of a mail provider',
  wrongMailEvents: 'Reports of mail providers that are not genuine',
  mailEventTokens: 'Reports of Mailgun that were sent again',
  apiKeyRequests: 'Requests with one API key',
  wrongApiKeys: 'Requests with API keys that do not exist',
  disposable: 'Signups with a temporary address',
  misspelled: 'Signups with a misspelled address',
  undeliverable: 'Signups whose address receives no email',
  fields: 'Signups whose fields differ from the declaration',
  'human-check': 'Signups without a token of the human check',
};

/** A limit that a newer server has keeps its own name. */
export function limitName(limit: string): string {
  return NAMES[limit] ?? limit;
}
