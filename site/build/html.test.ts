import { describe, expect, it } from 'vitest';

import { createPolicy, inlineViolations, styleTexts } from './html.ts';

describe('inlineViolations', () => {
  it.each([
    '<script>run()</script>',
    '<script type="module">run()</script>',
    '<SCRIPT async>\nrun()\n</SCRIPT >',
    '<p onclick="run()">text</p>',
    '<p class="a" style="color: red">text</p>',
    '<p\nstyle=color:red>text</p>',
    '<a href="javascript:run()">text</a>',
  ])('finds %s', (html) => {
    expect(inlineViolations(`<main>${html}</main>`)).toHaveLength(1);
  });

  it.each([
    '<script type="module" src="/a.js"></script>',
    '<script type="application/ld+json">{"a": 1}</script>',
    '<style>p { color: red }</style>',
    '<p class="style" data-style="a">style="color: red" onclick=run()</p>',
    '<svg><path stroke-width="2"/></svg>',
  ])('passes %s', (html) => {
    expect(inlineViolations(`<main>${html}</main>`)).toEqual([]);
  });
});

it('createPolicy returns the hash of each inline script, so that they are not violations', () => {
  const page = '<script data-src="/a.js">run()</script><script type="module" src="/b.js"></script>';
  const { scriptHashes } = createPolicy([page, page]);
  expect(scriptHashes).toEqual([expect.stringMatching(/^sha256-/)]);
  expect(inlineViolations(page, scriptHashes)).toEqual([]);
  expect(inlineViolations(page.replace('run', 'ruin'), scriptHashes)).toEqual(['ruin()']);
});

it('styleTexts returns the full text of every style element', () => {
  expect(styleTexts('<style>a{}</style><p><style media="print">b{}\n</style>')).toEqual(['a{}', 'b{}\n']);
});
