import { expect, it } from 'vitest';
import { guessFormat } from './names.ts';

it.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://example.com/hooks.slack.com', 'json'],
  ['https://hooks.slack.com.example.com/', 'json'],
  ['not a URL', 'json'],
])('suggests for %s the format %s', (url, format) => {
  expect(guessFormat(url)).toBe(format);
});
