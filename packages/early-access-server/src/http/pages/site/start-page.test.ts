import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../../fixtures/child-server.ts';

const read = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

describe('the address of a server without a site', () => {
  it('shows on a local run how to embed the form', async () => {
    const { url } = await startChild({ DATA_DIR: tempFolder() });
    const { status, text } = await read(url);
    expect(status).toBe(200);
    expect(text).toContain(`&#60;script src=&#34;${url}/embed.js&#34; defer&#62;`);
    expect(text).toContain(`&#60;form method=&#34;post&#34; action=&#34;${url}/api/signup-form&#34;&#62;`);
    expect(text).toContain('<script src="/embed.js" defer></script>');
    expect((await read(`${url}/other`)).status).toBe(404);
  });

  it.each([[{ PUBLIC_URL: 'https://early.example.com' }], [{ TRUST_PROXY: '1' }]])(
    'is not found with %j',
    async (env) => {
      const { url } = await startChild({ DATA_DIR: tempFolder(), ...env });
      expect(await read(url)).toEqual({ status: 404, text: 'Not found\n' });
    },
  );
});
