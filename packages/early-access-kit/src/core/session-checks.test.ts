import { expect, it } from 'vitest';
import { isRobot } from './session-checks.ts';

it.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0)', true],
  ['GoogleOther-Google-Favicon', true],
  ['Google-InspectionTool/1.0', true],
  ['Slack-ImgProxy (preview of links)', true],
  ['Screaming Frog Crawler', true],
  ['Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36', false],
  ['CUBOT/1.0 Mozilla/5.0 (compatible; YouBot/1.0)', true],
  ['Mozilla/5.0 (Linux; Android 13; Spider 8) AppleWebKit/537.36 Chrome/124.0.0.0 Safari/537.36', false],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)', false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', false],
])('detects bots by their user agent: %s', (userAgent, expected) => {
  expect(isRobot(userAgent)).toBe(expected);
});
