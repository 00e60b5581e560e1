import { expect, it } from 'vitest';
import { mayTrack } from './permission.ts';

it.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 Safari/605.1.15 (Applebot/0.1)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Google-InspectionTool/1.0;)',
  'Mediapartners-Google',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'meta-externalagent/1.1',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
])('%s is a bot', (userAgent) => {
  expect(mayTrack({}, { userAgent })).toBe(false);
  expect(mayTrack({ ignoreGpc: true }, { userAgent })).toBe(false);
  expect(mayTrack({ allowBots: true }, { userAgent })).toBe(true);
});

it('each exception only affects its own check', () => {
  const both = { userAgent: 'Firefox', webdriver: true, globalPrivacyControl: true };
  expect(mayTrack({ allowBots: true }, both)).toBe(false);
  expect(mayTrack({ ignoreGpc: true }, both)).toBe(false);
  expect(mayTrack({ allowBots: true, ignoreGpc: true }, both)).toBe(true);
});
