import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { withEnvFile } from './env-file.ts';

function createFolder(text: string | Uint8Array): string {
  const folder = tempFolder();
  writeFileSync(join(folder, '.env'), text);
  return folder;
}

describe('the file .env', () => {
  it('adds settings, and the environment wins, even empty ones', () => {
    const folder = createFolder(
      '# Settings\r\nPORT=1\r\nexport HOST = 0.0.0.0\n\nMAIL_FROM="Acme <a@b.c>"\nCONFIRM=on # or off\n',
    );
    expect(withEnvFile({ PORT: '2', CONFIRM: '' }, folder)).toEqual({
      env: { PORT: '2', HOST: '0.0.0.0', MAIL_FROM: 'Acme <a@b.c>', CONFIRM: '' },
      envFile: join(folder, '.env'),
    });
  });

  it('may be missing', () => {
    const env = { PORT: '2' };
    expect(withEnvFile(env, tempFolder())).toEqual({ env });
  });

  it('is read with a byte order mark, and in UTF-16', () => {
    const text = '\ufeffBRAND_COLOR=#0a7d4f\r\nBRAND_NAME=Caf\u00e9\r\n';
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      expect(withEnvFile({}, createFolder(bytes)).env).toEqual({ BRAND_COLOR: '#0a7d4f', BRAND_NAME: 'Caf\u00e9' });
    }
    const read = () => withEnvFile({}, createFolder(Buffer.from('BRAND_NAME=Caf\u00e9', 'latin1')));
    expect(read).toThrow(/^[^\n]*\.env cannot be read: it is neither UTF-8 nor UTF-16; save it as UTF-8[^\n]*$/);
  });

  it.each([
    ['PORT=1\nSMTP_URL smtp://user:secret@mail.example.com', 2],
    ['MAIL_FROM="Acme secret\nPORT=1', 1],
    ['PORT=1\n\n9LIVES=secret', 3],
  ])('names the line of %j that cannot be used, and not its text', (text, line) => {
    const read = () => withEnvFile({}, createFolder(text));
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      new RegExp(`^(?!.*secret)[^\\n]*\\.env, line ${line}: (?:must be NAME=value|MAIL_FROM has a quote)[^\\n]*$`),
    );
  });

  it('is named if it cannot be read', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, '.env'));
    expect(() => withEnvFile({}, folder)).toThrow(/^[^\n]*\.env cannot be read: [^\n]*$/);
  });
});
