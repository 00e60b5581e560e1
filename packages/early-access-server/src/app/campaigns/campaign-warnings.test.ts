import { urlPath, webUrl } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import {
  findCampaignWarnings,
  pictureWidth,
  type Reference,
  safeTarget,
  warnAboutFields,
} from './campaign-warnings.ts';

const link = (href: string, label = 'our shop'): Reference => ({ kind: 'link', label, href, title: null });
const picture = (href: string, title: string | null = null): Reference => ({
  kind: 'picture',
  label: 'A picture',
  href,
  title,
});

describe('the check of a campaign', () => {
  it.each([
    ['www.acme.example/shop', 'write https://www.acme.example/shop'],
    ['acme.example', 'write https://acme.example'],
    ['/prices', 'write its whole address, such as https://www.example.com/page'],
    ['#top', 'write its whole address, such as https://www.example.com/page'],
    ['help@acme.example', 'write mailto:help@acme.example'],
    ['javascript:alert(1)', 'write its whole address, such as https://www.example.com/page'],
    ['', 'write its whole address, such as https://www.example.com/page'],
    ['shop: acme.example', 'write its whole address, such as https://www.example.com/page'],
    ['acme.example:8080/a', 'write https://acme.example:8080/a'],
    ['acme.example?a=1', 'write https://acme.example?a=1'],
    ['acme.example#top', 'write https://acme.example#top'],
    ['acme.e', 'write its whole address, such as https://www.example.com/page'],
    ['acme.example@', 'write its whole address, such as https://www.example.com/page'],
  ])('names a link to %j', (href, advice) => {
    expect(findCampaignWarnings([link(href)], 0)).toEqual([
      `the link “our shop” leads nowhere, because “${href}” is not an address; ${advice}`,
    ]);
  });

  it.each(['https://acme.example/a_b_c', 'http://www.acme.example', 'mailto:help@acme.example', 'tel:+15550100'])(
    'accepts a link to %s',
    (href) => {
      expect(findCampaignWarnings([link(href)], 0)).toEqual([]);
    },
  );

  it('shows a long or multi-line text in one short line', () => {
    const [short, long] = ['x'.repeat(60), 'x'.repeat(61)];
    expect(findCampaignWarnings([link('/a', short), link('/a', long), link('/a', ' our  \n shop ')], 0)).toEqual([
      expect.stringContaining(`the link “${short}” leads`),
      expect.stringContaining(`the link “${short}…” leads`),
      expect.stringContaining('the link “our shop” leads'),
    ]);
  });

  it.each([
    'https://acme.example/{{fields.company}}?a={{fields.role}}&b={{fields.company}}',
    '{{fields.site}}',
    '{{fields.site}}/{{fields.path}}',
  ])('leaves the tags of %s as they are', (href) => {
    expect(safeTarget(href)).toBe(href);
  });

  it('names fields that are empty for some, and is silent without fields', () => {
    expect(warnAboutFields('{{fields.a}} {{#fields.b}}{{/fields.b}}')).toEqual([
      '{{fields.a}}, {{fields.b}}: empty in the emails to people who have not confirmed their address',
    ]);
    expect(warnAboutFields('Hello {{name}}')).toEqual([]);
  });

  it('names each link that no email can contain', () => {
    const href = fc.oneof(webUrl, fc.emailAddress(), fc.domain(), urlPath, fc.string());
    fc.assert(
      fc.property(fc.array(href, { maxLength: 20 }), (hrefs) => {
        const warnings = findCampaignWarnings(
          hrefs.map((href, at) => link(href, `link ${at}`)),
          0,
        );
        const dead = hrefs.flatMap((href, at) => (safeTarget(href) === null ? [`“link ${at}”`] : []));
        expect(warnings.map((warning) => /“link \d+”/.exec(warning)?.[0])).toEqual(dead);
      }),
    );
  });

  it('names pictures that are not shown, or have no width', () => {
    expect(findCampaignWarnings([picture('http://acme.example/a.png', '320')], 0)).toEqual([
      'the picture “A picture” is not shown, because its address must begin with https://',
    ]);
    expect(findCampaignWarnings([picture('https://acme.example/a.png')], 0)).toEqual([
      'the picture “A picture” has no width, so Outlook shows it at full size; add it after the address, 504 at most: (https://acme.example/a.png "504")',
    ]);
    expect(findCampaignWarnings([picture('https://acme.example/a.png', '320')], 0)).toEqual([]);
    expect(findCampaignWarnings([{ ...picture('http://acme.example/a.png'), label: '' }], 0)).toEqual([
      expect.stringMatching(/^the picture “http:\/\/acme\.example\/a\.png” is not shown/),
    ]);
  });

  it.each([
    ['320', 320],
    ['width=320', 320],
    [' 320 px ', 320],
    ['width = 320', 320],
    ['width  320', null],
    ['320 pixels', null],
    ['about 320', null],
    ['32000', null],
    ['2400', 504],
    ['0', null],
    ['Our shop in 2026', null],
    ['', null],
    [null, null],
  ])('reads the width of the title %j', (title, width) => {
    expect(pictureWidth(title)).toBe(width);
  });

  it('names an email that Gmail cuts off', () => {
    expect(findCampaignWarnings([], 100_000)).toEqual([]);
    expect(findCampaignWarnings([], 123_456)).toEqual([expect.stringMatching(/^the email has 124 kB .*unsubscribe/)]);
  });

  it('names each problem once, and at most 20', () => {
    expect(findCampaignWarnings([link('/a'), link('/a')], 0)).toHaveLength(1);
    const many = Array.from({ length: 50 }, (_, at) => link(`/${at}`));
    expect(findCampaignWarnings(many, 0)).toHaveLength(21);
    expect(findCampaignWarnings(many.slice(0, 20), 0)).toHaveLength(20);
    expect(findCampaignWarnings(many, 0).at(-1)).toBe('and 30 more');
  });
});
