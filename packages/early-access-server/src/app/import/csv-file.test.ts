import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvFile } from './csv-file.ts';
import { isUnderstood } from './header.ts';

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
  ['sep=\nemail,a\n', ['1 sep=', '2 email | a']],
  ['x sep=;\nemail,a;b\n', ['1 x sep=;', '2 email | a;b']],
  ['sep=;x\nemail,a;b\n', ['1 sep=;x', '2 email | a;b']],
  ['SEP=;\remail;a,b\r', ['2 email | a,b']],
  ['a;b;c,d\n1,2;3;4\n', ['1 a | b | c,d', '2 1,2 | 3 | 4']],
  ['\n\n"a\nb",email\n,\nx,y', ['4 a\nb | email', '6 x | y']],
  ['email\n"x', null],
])('one delimiter holds for the file %j', async (content, lines) => {
  if (lines === null) await expect(read(content)).rejects.toThrow('line 2: a quote is not closed');
  else expect(await read(content)).toEqual(lines);
});

it.each([
  ['email\nada@x.io\n"bob@x.io\neve@x.io\n', 'line 3: a quote is not closed'],
  ['email,notes\r\nada@x.io,"a ""b""\r\nc"\r\nbob@x.io,"open\r\neve@x.io,\r\n', 'line 4: a quote is not closed'],
  ['email,notes,more\na@x.io,"two\nlines","open\nb@x.io\n', 'line 3: a quote is not closed'],
  ['email,notes\na@x.io,5" wide\nb@x.io,"a "b" c\nc@x.io,"\n', 'line 4: a quote is not closed'],
  [
    `email\na@x.io\n"b@x.io\n${'c@x.io\n'.repeat(20_000)}`,
    'line 3: a quote is not closed, or the cell is longer than 40000 bytes',
  ],
  [`email\na@x.io\n"${'x'.repeat(50_000)}"\n`, 'line 3: is longer than 40000 bytes'],
  [`email\na@x.io\n${'x'.repeat(50_000)}\n"b@x.io\n`, 'line 3: is longer than 40000 bytes'],
])('a file that ends within a quote names the line that opens it (%#)', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

it('whatever cells are before it, an open quote is named by its line', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', '\r', 'é'), maxLength: 6 });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lineEnd = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1 })), lineEnd, async (rows, end) => {
      const closed = [['email'], ...rows].map((cells) => cells.map(quote).join() + end).join('');
      const line = closed.split(/\r\n|\n|\r/).length;
      await expect(read(`${closed}b@x.io,"open${end}c@x.io${end}`)).rejects.toThrow(
        `line ${line}: a quote is not closed`,
      );
    }),
  );
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

describe('names that are not UTF-8', () => {
  const readReal = async (bytes: Uint8Array) => {
    const { encoding, lines } = await readCsvFile(new Blob([Buffer.from(bytes)]).stream(), isUnderstood);
    return [encoding, ...(await Array.fromAsync(lines())).map(({ cells }) => cells.join(' | '))];
  };
  // "メールアドレス" and "山" in Shift_JIS.
  const mail = [0x83, 0x81, 0x81, 0x5b, 0x83, 0x8b, 0x83, 0x41, 0x83, 0x68, 0x83, 0x8c, 0x83, 0x58];
  const sjis = Buffer.concat([Buffer.from(mail), Buffer.from(',Name\na@x.io,'), Buffer.from([0x8e, 0x52])]);

  it('are read if an encoding makes one of them known', async () => {
    expect(await readReal(sjis)).toEqual(['Shift_JIS', 'メールアドレス | Name', 'a@x.io | 山']);
    const latin1 = Buffer.from('E-Mail;Désinscrit;Prénom\na@x.io;oui;Zoé\n', 'latin1');
    expect(await readReal(latin1)).toEqual(['Windows-1252', 'E-Mail | Désinscrit | Prénom', 'a@x.io | oui | Zoé']);
  });

  it.each([
    [Buffer.from('E-Mail;Prénom\na@x.io;Zoé\n', 'latin1'), 'are not UTF-8, but probably Windows-1252; save the file'],
    [Buffer.from('Exporté\nE-Mail;Nom\na@x.io;Zoé\n', 'latin1'), 'are not UTF-8, but probably Windows-1252; save'],
    [Buffer.from('E-Mail,D\ufffdsinscrit\na@x.io,oui\n'), 'are damaged; export the file again as CSV UTF-8'],
    [Buffer.from([0x45, 0xff, 0x80, 0x81, 0x2c, 0x42, 0x0a]), 'are damaged; save the file as CSV UTF-8'],
  ])('stop the file if they are only likely (%#)', async (bytes, reason) => {
    await expect(readReal(bytes)).rejects.toThrow(`the names of the columns ${reason}`);
  });

  /** Node only decodes these encodings. */
  function encode(text: string, encoding: string): Buffer {
    const decoder = new TextDecoder(encoding);
    const bytes = new Map<string, readonly number[]>();
    for (let first = 0xff; first >= 0x81; first -= 1) {
      for (let second = 0xfe; second >= 0x40; second -= 1)
        bytes.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
      bytes.set(decoder.decode(Uint8Array.of(first)), [first]);
    }
    const encoded = Array.from(text, (character) => bytes.get(character) ?? [character.charCodeAt(0)]);
    return Buffer.from(encoded.flat());
  }

  it.each([
    ['Shift_JIS', 'メール | 登録 | 姓', 'a@x.io | はい | 山田'],
    ['GB18030', '电子邮件 | 订阅 | 姓名', 'a@x.io | 是 | 张伟'],
    ['Big5', '電子郵件 | 確認 | 姓名', 'a@x.io | 是 | 陳怡君'],
    ['Windows-1252', 'E-mail | Désinscrit | Prénom', 'a@x.io | non | François'],
    ['Windows-1250', 'E-mail | Státus | Źródło', 'a@x.io | ano | Łódź'],
    ['Windows-1256', 'Email | حالة | Name', 'a@x.io | نعم | أحمد'],
  ])('are read in %s, with the values', async (encoding, names, values) => {
    const text = `sep=;\n${names}\n${values}\n`.replaceAll(' | ', ';');
    expect(await readReal(encode(text, encoding))).toEqual([encoding, names, values]);
  });

  it('stop the file if the part of a name that is known is not the damaged one', async () => {
    const polish = encode('E-mail;Źródło zgody;Imię\na@x.io;strona;Łukasz\n', 'Windows-1250');
    await expect(readReal(polish)).rejects.toThrow('are not UTF-8, but probably Windows-1250; save the file');
  });

  it('do not matter in a file without names', async () => {
    expect(await readReal(Buffer.from('a@x.io;Zoé\n', 'latin1'))).toEqual([null, 'a@x.io | Zo\ufffd']);
  });
});

it('a character may be cut by the slices that are decoded', async () => {
  const long = `email,${'ü'.repeat(12_000)}`;
  expect(await read(long)).toEqual([`1 ${long.replace(',', ' | ')}`]);
});
