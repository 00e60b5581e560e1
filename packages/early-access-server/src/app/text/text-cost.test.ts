import { fc } from '@early-access-kit/testkit/fast-check';
import { Marked } from 'marked';
import { expect, it } from 'vitest';
import { MAX_CAMPAIGN_BODY } from '../campaigns/campaign.ts';
import { findCostProblem } from './text-cost.ts';

const filled = (unit: string) => unit.repeat(MAX_CAMPAIGN_BODY).slice(0, MAX_CAMPAIGN_BODY);

/** How deeply quotes and list items are nested. */
function measureDepth(markdown: string): number {
  const nested: string[] = [];
  let [depth, deepest] = [0, 0];
  const enter = (render: () => string) => {
    depth += 1;
    deepest = Math.max(deepest, depth);
    nested.push(render());
    depth -= 1;
    return '';
  };
  new Marked({
    renderer: {
      blockquote({ tokens }) {
        return enter(() => this.parser.parse(tokens));
      },
      listitem({ tokens }) {
        return enter(() => this.parser.parse(tokens));
      },
    },
  }).parse(markdown, { async: false });
  return deepest;
}

it.each(['_a', '_a ', '*a_', 'a_b', '__a', '_a_ _b ', '**a ', '~~a', '_a\n\n'])('refuses a draft of %j', (unit) => {
  expect(findCostProblem(filled(unit))).toMatch(/more than 600 of the marks/);
});

it.each(['>', '> ', '- + ', '1. ', '> - ', '1) > ', '123456789. ', `a\n${'> '.repeat(31)}`])(
  'refuses a draft of %j',
  (unit) => {
    expect(findCostProblem(filled(unit))).toMatch(/nested too deeply/);
  },
);

it.each([
  '- item\n',
  '> quote\n',
  '-'.repeat(40),
  '- '.repeat(40),
  `  - ${' -'.repeat(40)}`,
  `-${'  -'.repeat(40)}  `,
  `a ${'> '.repeat(40)}`,
  'word ',
  '[a](https://acme.example) ',
  '1. a\n2. b\n',
])('accepts a draft of %j', (unit) => {
  expect(findCostProblem(filled(`${unit}\n`))).toBeNull();
});

it('accepts a long letter with emphasis in each line', () => {
  expect(findCostProblem('**Dear** _reader_ of this letter, '.repeat(100).slice(0, MAX_CAMPAIGN_BODY))).toBeNull();
});

it('refuses each line that nests more than twenty times', () => {
  const marker = fc.constantFrom('> ', '>', '- ', '+ ', '1. ', '2) ');
  fc.assert(
    fc.property(fc.array(marker, { maxLength: 40 }), (markers) => {
      const text = `${markers.join('')}a`;
      if (findCostProblem(text) === null) expect(measureDepth(text)).toBeLessThanOrEqual(20);
    }),
  );
});
