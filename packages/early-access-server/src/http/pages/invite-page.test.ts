import { urlRest, webUrl } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { SETTINGS } from '../../settings/setting-list.ts';
import { productLink } from './invite-page.ts';

it('keeps each INVITE_URL that is accepted, and its page finds the token in the fragment alone', () => {
  const url = fc.tuple(webUrl, fc.constantFrom('', '#', '#/', '#!/', '#/a?b='), urlRest);
  let routes = 0;
  fc.assert(
    fc.property(url, ([page, start, fragment]) => {
      const INVITE_URL = start === '' ? page : page + start + fragment;
      let product: URL;
      try {
        product = SETTINGS.INVITE_URL.require({ INVITE_URL });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        return;
      }
      const link = `${productLink(product)}TOKEN`;
      const { hash } = new URL(link);
      const isRoute = !hash.startsWith('#invite=');
      const query = isRoute ? hash.slice(hash.indexOf('?') + 1) : hash.slice(1);
      expect(link.startsWith(product.href.replace(/#$/, ''))).toBe(true);
      expect(new URLSearchParams(query).get('invite')).toBe('TOKEN');
      expect(link.slice(0, link.indexOf('#'))).not.toContain('TOKEN');
      routes += Number(isRoute);
    }),
  );
  expect(routes).toBeGreaterThan(0);
});
