import { describe, expect, it } from 'vitest';
import { type MarkdownLook, markdownToHtml } from './markdown.ts';
import { markdownToText, wrapText } from './plain-text.ts';

const LOOK: MarkdownLook = {
  heading: () => '',
  text: '',
  list: '',
  quote: '',
  code: '',
  link: '',
  rule: '',
  table: '',
  cell: '',
};
const toText = (markdown: string) => wrapText(markdownToText(markdown));
const toHtml = (markdown: string) => markdownToHtml(markdown, LOOK);
const TAGS = 'p|h[1-6]|a|strong|em|del|code|pre|ul|ol|li|blockquote|hr|br|img|table|tr|th|td';

describe('Markdown', () => {
  it('becomes HTML for mail programs and a text without marks', () => {
    const markdown = `# We launch

Dear **early** *birds*, the [product](https://acme.example/) is [ready](https://acme.example/go).
It costs ~~9~~ 7.

- one
- two

3. three
4. four

> a quote

\`\`\`
npm start
\`\`\`

---

| plan | price |
| ---- | ----: |
| solo | 7     |

![The new page](https://acme.example/page.png)`;
    expect(toText(markdown)).toBe(`WE LAUNCH

Dear early birds, the product (https://acme.example/) is ready
(https://acme.example/go). It costs 9 7.

- one
- two

3. three
4. four

> a quote

    npm start

------------------------

plan | price
solo | 7

The new page`);
    const html = toHtml(markdown);
    for (const part of [
      '>We launch</h1>',
      '<strong>early</strong>',
      '<em>birds</em>',
      'href="https://acme.example/go"',
      '<del>9</del>',
      '<li>one</li>',
      '<ol start="3"',
      '<blockquote',
      '<code>npm start</code>',
      '<hr',
      '>solo</td>',
      'src="https://acme.example/page.png" alt="The new page"',
    ]) {
      expect(html).toContain(part);
    }
  });

  it.each([
    ['https://acme.example/a', 'https://acme.example/a'],
    ['<https://acme.example/>', 'https://acme.example/'],
    ['[acme.example](https://acme.example/)', 'acme.example'],
    ['hello@acme.example', 'hello@acme.example'],
    ['[e](https://acme.example/where)', 'e (https://acme.example/where)'],
  ])('%s: the text has a bare address once', (markdown, text) => {
    expect(toText(markdown)).toBe(text);
    expect(toHtml(markdown)).toMatch(/<a href="(https:\/\/acme|mailto:hello@acme)\.example/);
  });

  it('wraps the text and keeps the line breaks that were meant', () => {
    for (const line of toText(`${'word '.repeat(100)}`).split('\n')) expect(line.length).toBeLessThanOrEqual(72);
    expect(toText('soft\nbreak  \nhard')).toBe('soft break\nhard');
    const word = 'word'.repeat(10);
    expect(toText(`> - ${word} ${word}\n>\n> 10. ${word} ${word}`)).toBe(
      `> - ${word}\n>   ${word}\n>\n> 10. ${word}\n>     ${word}`,
    );
    expect(toText(`a\n\n\`\`\`\n${word} ${word}\n\`\`\``)).toBe(`a\n\n    ${word} ${word}`);
    expect(toText(`| ${word} | ${word} |\n| - | - |\n| a | b |`)).toBe(`${word} | ${word}\na | b`);
  });

  it('gives a picture the width that its title names', () => {
    expect(toHtml('![a](https://acme.example/a.png "320")')).toContain('alt="a" width="320" style=');
    expect(toHtml('![a](https://acme.example/a.png "Our shop")')).not.toContain('width=');
  });

  it('can call and write to someone', () => {
    expect(toHtml('[call](tel:+15550100)')).toContain('<a href="tel:+15550100" ');
    expect(toText('[call](tel:+15550100)')).toBe('call (tel:+15550100)');
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onmouseover="alert(1)">b</b> <!-- c -->',
    '<code><svg/onload=alert(1)//',
    '<pre><script>alert(1)',
    '<style>@import "https://evil.example"</style>',
    '<a href="https://evil.example" ping="https://evil.example">x</a>',
    '`<script>`\n\n    <script>\n\n```<script>\n<script>\n```',
    '# <script>\n\n> <script>\n\n- <script>\n\n| <script> |\n| - |\n| <img src=x> |',
    '[x](https://acme.example/"onclick="alert(1))',
    '[x](https://acme.example "t\\" onclick=\\"alert(1)")',
    '![" onerror="alert(1)](https://acme.example/a.png)',
    '![a](https://acme.example/a.png" onerror="alert(1))',
    '[<img src=x onerror=alert(1)>](https://acme.example)',
    '&lt;script&gt; &#60;script&#62; &copy;',
    '<https://acme.example/<script>>',
  ])('%j: every tag and attribute is ours', (markdown) => {
    const html = toHtml(markdown);
    const known = new RegExp(
      `<(?:/(?:${TAGS})|(?:${TAGS})(?: (?:href|src|alt|style|class|dir|start|width|cellpadding|cellspacing|border)="[^"<>]*"| )*)>`,
      'g',
    );
    expect(html.replace(known, '')).not.toMatch(/[<>"]/);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](&#x6a;avascript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](/relative)',
    '<javascript:alert(1)>',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '![x](http://acme.example/a.png)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg/>)',
  ])('%j links to nothing and loads nothing', (markdown) => {
    expect(toHtml(markdown)).not.toMatch(/href=|src=/);
    expect(toText(markdown)).not.toContain('(http');
  });

  it.each([
    ['quotes', '>'.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['stars', '*a'.repeat(10_000)],
    ['lists', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')],
    ['backticks', Array.from({ length: 300 }, (_, at) => '`'.repeat(at)).join(' ')],
  ])('takes no long time for nested %s', (_, markdown) => {
    const before = process.cpuUsage();
    try {
      toHtml(markdown);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    // The processor's time, because other tests run beside this one.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
  });
});
