import type { EventType, WebhookFormat } from 'early-access-server/admin-api';

export const EVENT_NAMES: Readonly<Record<EventType, string>> = {
  'signup.created': 'New signup',
  'signup.confirmed': 'Address confirmed',
  'signup.unsubscribed': 'Unsubscribed',
  'invite.redeemed': 'Invitation accepted',
  'person.erased': 'Person erased',
};

export const FORMAT_NAMES: Readonly<Record<WebhookFormat, string>> = {
  json: 'JSON, signed',
  slack: 'Slack message',
  discord: 'Discord message',
};

/** Guesses the format that an endpoint expects from its URL. */
export function guessFormat(url: string): WebhookFormat {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  if (host === 'hooks.slack.com') return 'slack';
  return host === 'discord.com' || host === 'discordapp.com' ? 'discord' : 'json';
}
