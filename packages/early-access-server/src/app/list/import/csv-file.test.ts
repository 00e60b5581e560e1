import { expect, it } from 'vitest';
import { readCsvFile } from './csv-file.ts';

async function read(content: string | Uint8Array) {
  const file = await readCsvFile(new Blob([Buffer.from(content)]).stream(), (cell) => /^e-?mail$/i.test(cell.trim()));
  return (await Array.fromAsync(file.lines())).map(({ line, cells }) => `${line} ${cells.join(' | ')}`);
}

/** UTF-16, big-endian. */
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

it.each([
  ['sep=|\r\nemail|a,b;c\r\n', ['2 email | a,b;c']],
  ['"sep=;"\nemail;a,b,c\n', ['2 email | a,b,c']],
  ['\ufeffsep=\t\nemail\ta,b\n', ['2 email | a,b']],
  ['name (first, last, both);email\n', ['1 name (first, last, both) | email']],
  ['"a, b, c";email\n', ['1 a, b, c | email']],
  ['a;b;c,d\n1,2;3;4\n', ['1 a | b | c,d', '2 1,2 | 3 | 4']],
  ['\n\n"a\nb",email\n,\nx,y', ['4 a\nb | email', '6 x | y']],
  ['email\n"x', null],
])('one delimiter holds for the file %j', async (content, lines) => {
  if (lines === null) await expect(read(content)).rejects.toThrow('line 2: a quote is not closed');
  else expect(await read(content)).toEqual(lines);
});

it.each([
  ['UTF-8', Buffer.from('email,münchen')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffemail,münchen')],
  ['UTF-16 LE', Buffer.from('email,münchen', 'utf16le')],
  ['UTF-16 LE with a byte order mark', Buffer.from('\ufeffemail,münchen', 'utf16le')],
  ['UTF-16 BE', utf16be('email,münchen')],
  ['UTF-16 BE with a byte order mark', utf16be('\ufeffemail,münchen')],
])('a file may be in %s', async (_, content) => {
  expect(await read(content)).toEqual(['1 email | münchen']);
});

it('a character may be cut by the slices that are decoded', async () => {
  const long = `email,${'ü'.repeat(12_000)}`;
  expect(await read(long)).toEqual([`1 ${long.replace(',', ' | ')}`]);
});
