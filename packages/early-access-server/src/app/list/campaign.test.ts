import { expect, it } from 'vitest';
import { campaignRoom } from './campaign.ts';

it.each([
  ['nothing is queued', { queued: 0, waiting: 0 }, 300],
  ['half of the window has been sent', { queued: 150, waiting: 150 }, 150],
  ['less than half has been sent', { queued: 151, waiting: 151 }, 0],
  ['the mail server deferred most', { queued: 4_900, waiting: 20 }, 100],
  ['it deferred all that may be queued', { queued: 5_000, waiting: 0 }, 0],
  ['more is queued than may be', { queued: 5_100, waiting: 0 }, 0],
])('there is room for messages if %s', (_, counts, room) => {
  expect(campaignRoom(counts)).toBe(room);
});
