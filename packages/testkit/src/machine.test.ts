import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { formatFinding, inspectMachine } from './machine.ts';
import { tempFolder } from './temp-folder.ts';

const FINDING = { name: 'wrk', purpose: 'npm run bench', fix: 'apt-get install wrk', isRequired: false };

it('prints one line for what was found, and two for what is missing, with the fix', () => {
  expect(formatFinding({ ...FINDING, found: '/usr/bin/wrk' })).toBe('ok       wrk                  /usr/bin/wrk');
  expect(formatFinding({ ...FINDING, found: null })).toBe(
    'absent   wrk                  for npm run bench\n         apt-get install wrk',
  );
  expect(formatFinding({ ...FINDING, found: null, isRequired: true })).toMatch(/^missing /);
});

it('finds the programs of this machine, and reports a port that is in use', async () => {
  const findings = await inspectMachine(tempFolder());
  const required = findings.filter(({ isRequired }) => isRequired);
  expect(required.map(({ name }) => name)).toEqual(['Node', 'git', 'disk space']);
  expect(findings.every(({ fix, purpose }) => fix !== '' && purpose !== '')).toBe(true);
  const blocker = createServer()
    // If another program already uses the port, that is fine, too.
    .on('error', () => {})
    .listen(6006, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await vi.waitFor(async () => {
    const port = (await inspectMachine(tempFolder())).find(({ name }) => name === 'port 6006');
    expect(port).toMatchObject({ found: null, isRequired: false });
  });
});

it('finds no program on an empty PATH, and nothing else is an error', async () => {
  vi.stubEnv('PATH', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const findings = await inspectMachine(tempFolder());
  for (const name of ['git', 'wrk', 'Caddy']) {
    expect(findings.find((finding) => finding.name === name)).toMatchObject({ found: null });
  }
});
