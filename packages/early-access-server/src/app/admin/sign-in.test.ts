import { expect, it } from 'vitest';
import { describeDevice } from './sign-in.ts';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0', 'Edge on Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/150.0.0.0 Safari/537.36 OPR/120.0', 'Opera on macOS'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (X11; CrOS x86_64 16181.0.0) Chrome/150.0.0.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['Firefox/140.0', 'Firefox'],
  ['curl/8.0 (Linux)', 'Another browser on Linux'],
  [`${'x'.repeat(500)} Firefox/140.0 Windows`, 'Another browser'],
  [undefined, 'Another browser'],
])('%s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});
