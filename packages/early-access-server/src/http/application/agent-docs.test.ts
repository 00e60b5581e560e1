import { expect, it } from 'vitest';
import { API_SCOPES } from '../../app/access/api-keys.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { readOperations } from '../routing/openapi/operations.ts';

const PUBLIC_URL = new URL('https://early.example');

function setUp(options: Parameters<typeof adminHarness>[0] = {}) {
  const { app } = adminHarness({ publicUrl: PUBLIC_URL, brand: { name: 'Acme: "Tools"' }, ...options });
  const read = async (path: string) => app.fetch(new Request(new URL(path, PUBLIC_URL)));
  return { app, read };
}

it('are missing unless they are turned on', async () => {
  const { app, read } = setUp();
  for (const path of ['/skill.md', '/llms.txt']) {
    expect((await read(path)).status).toBe(404);
    expect(app.handles(path)).toBe(false);
  }
});

it('describe every route for API keys with its scopes and its input, and name every action that no key can do', async () => {
  const { app, read } = setUp({ agentDocs: true });
  const response = await read('/skill.md');
  const skill = await response.text();
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(app.handles('/skill.md')).toBe(true);
  const operations = readOperations(JSON.parse(await (await read('/api/openapi.json')).text()));
  const sections = new Map(
    skill
      .split('\n### ')
      .slice(1)
      .map((section) => [section.split('\n', 1)[0], section]),
  );
  const forKeys = operations.filter(({ scopes }) => scopes.length > 0);
  expect([...sections.keys()]).toEqual(forKeys.map(({ method, path }) => `${method} ${path}`));
  for (const { method, path, scopes, inputs } of forKeys) {
    const section = sections.get(`${method} ${path}`);
    for (const { name, place } of inputs) if (place !== 'header') expect(section).toContain(`- \`${name}\` (`);
    if (scopes.length < API_SCOPES.length) for (const scope of scopes) expect(section).toContain(`\`${scope}\``);
  }
  for (const path of ['/people/forget', '/campaigns/{id}/state', '/import', '/api-keys'])
    expect(skill).toContain(`(\`/api/admin${path}\`)`);
  expect(skill).toContain('- `state` (body): one of `pending`, `subscribed`; `"pending"` by default.');
  expect(skill).toContain('Base URL: https://early.example\n');
});

it('begin as agents expect it', async () => {
  const { read } = setUp({ agentDocs: true });
  expect(await (await read('/skill.md')).text()).toMatch(
    /^---\nname: early-access-list\ndescription: "Read .+ \(waitlist\) of Acme: \\"Tools\\" .+"\n---\n\n# The early-access list of Acme: "Tools"\n/,
  );
  const response = await read('/llms.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toMatch(
    /^# The early-access list of Acme: "Tools"\n\n> .+\n\n(- \[.+\]\(https:\/\/early\.example\/\S+\): .+\n){2}$/,
  );
});

it('name no origin that the server does not know', async () => {
  const { read } = setUp({ agentDocs: true, publicUrl: undefined });
  expect(await (await read('/skill.md')).text()).toContain('Base URL: the origin that this file comes from\n');
});
