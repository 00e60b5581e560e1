import { signupOf } from '@early-access-kit/testkit/records';
import { MINUTE_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { FORM_TYPE } from '../../app/signup/signup-form.ts';
import { appHarness } from '../../fixtures/app-harness.ts';

const [LEFT, DOTTED, NEW] = ['ann@gmail.com', 'a.n.n@gmail.com', 'new@gmail.com'];
const ORIGIN = 'http://localhost:4173';

/**
 * Everything that a stranger can see of their signup with an address, with the parts that are random or their own made
 * equal.
 */
async function readAnswers(email: string, confirm: boolean, first: '/api/signups' | '/api/signup-form') {
  const { app, store, clock } = appHarness({
    confirm,
    ...(confirm && { share: { showPlaces: true } }),
    signupCount: { smallest: 1, rounding: 'exact' },
    hostedForms: { joinPage: true, origins: [ORIGIN] },
  });
  await store.createSignup(signupOf({ email: LEFT }));
  await store.list.changePerson(LEFT, 'unsubscribe', 'person');
  await store.createSignup(signupOf({ email: 'first@example.org' }), { confirm: false });
  const signup = signupOf({ email, page_url: `${ORIGIN}/de/` });
  const ids = { email, submission_id: signup.submission_id };
  async function read(path: string, body?: string, type = 'application/json') {
    const sent = body === undefined ? {} : { method: 'POST', body };
    const headers = { host: new URL(ORIGIN).host, origin: ORIGIN, 'content-type': type };
    const response = await app.fetch(new Request(ORIGIN + path, { ...sent, headers }));
    const shown = `${path} ${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
    const equal = shown.replaceAll(signup.submission_id, 'ID').replaceAll(email, 'EMAIL');
    return equal.replace(/utm_content=[\w-]{10}/, 'utm_content=CODE');
  }
  const sign = () => read('/api/signups', JSON.stringify(signup));
  const submit = () => read('/api/signup-form', String(new URLSearchParams({ email })), FORM_TYPE);
  const answers = [first === '/api/signups' ? await sign() : await submit()];
  for (let time = 0; time < 2; time += 1) {
    answers.push(await read('/api/share', JSON.stringify(ids)));
    answers.push(await read('/api/inbox', JSON.stringify(ids)));
    answers.push(await read('/api/welcome-email', JSON.stringify({ email })));
    clock.now += MINUTE_MS;
    answers.push(await read('/api/count'), await read('/join'));
    answers.push(await sign(), await submit());
  }
  return answers;
}

it.each([
  [true, '/api/signups'],
  [false, '/api/signups'],
  [true, '/api/signup-form'],
  [false, '/api/signup-form'],
] as const)('no answer tells that a mailbox has opted out (confirm: %s, %s)', async (confirm, first) => {
  const expected = await readAnswers(NEW, confirm, first);
  if (first === '/api/signups') expect(expected[0]).toContain(confirm ? '"pending"' : '"created"');
  if (first === '/api/signups' && confirm) expect(expected[1]).toContain('utm_content=CODE');
  expect(await readAnswers(LEFT, confirm, first)).toEqual(expected);
  expect(await readAnswers(DOTTED, confirm, first)).toEqual(expected);
});
