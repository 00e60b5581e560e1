import { EXAMPLE_DECLARATIONS } from '@early-access-kit/testkit/fields';
import type { FieldDeclarations } from 'early-access-kit/core';
import { describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { exampleSignup } from '../../testing/examples.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import type { SessionResponse } from '../routing/schemas/server.ts';

const fields: FieldDeclarations = {
  company: { type: 'text', label: 'Company <b>& partners</b>', required: true, maxLength: 1_000 },
  site: { type: 'url', label: 'Site' },
  size: { type: 'select', label: 'Size', options: ['1', { value: 'many', label: '2 or more' }] },
  terms: { type: 'checkbox', label: 'I agree', consent: true },
};

describe('POST /api/signups', () => {
  it.each([
    { email: 'ada@secret.example, ada' },
    { source: 'ada@secret.example'.repeat(9) },
    { submission_id: 'ada@secret.example' },
    { session_id: 'ada@secret.example' },
    { fields: { company: 'Acme', site: 'http://ada@secret.example:x/', terms: 'I agree' } },
    { fields: { company: 'Acme', size: 'ada@secret.example' } },
    { fields: { company: 'ada@secret.example'.repeat(99) } },
  ])('names the field and never repeats its value: %j', async (wrong) => {
    const { post } = appHarness({ fields });
    const response = await post('/api/signups', { ...exampleSignup(), ...wrong });
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringMatching(Object.keys(wrong)[0] ?? '')]);
    expect(text).not.toContain('secret');
  });

  it('does not repeat the name of a field that is no name', async () => {
    const noteRefusal = vi.fn();
    const { post } = appHarness({ fields, noteRefusal });
    const response = await post('/api/signups', {
      ...exampleSignup(),
      fields: { company: 'Acme', 'ada@x.org <b>': 1 },
    });
    const message = 'fields must only contain declared fields';
    expect(await response.json()).toEqual({ error: { code: 'invalid', message } });
    expect(noteRefusal.mock.calls).toEqual([['fields', message]]);
  });

  it('notes nothing about the fields if something else is wrong', async () => {
    const noteRefusal = vi.fn();
    const { post } = appHarness({ fields, noteRefusal });
    const invalid = { ...exampleSignup(), email: 'ada', fields: { company: 'Acme' } };
    expect((await post('/api/signups', invalid)).status).toBe(400);
    expect(noteRefusal).not.toHaveBeenCalled();
  });
});

describe('the form without scripts', () => {
  function harnessWithForm() {
    const harness = appHarness({ fields });
    const submit = (form: Record<string, string> | [string, string][]) =>
      harness.post('/api/signup-form', new URLSearchParams(`email=me@example.org&${new URLSearchParams(form)}`));
    return { ...harness, submit };
  }

  it('stores what was entered, and nothing for what is empty', async () => {
    const { submit, raw } = harnessWithForm();
    const entered = { fields: '1', company: ' Acme ', site: '', size: 'many', terms: 'I agree', other: 'ignored' };
    expect((await submit(entered)).status).toBe(201);
    expect(readSignups(raw)[0]?.fields).toEqual({ company: 'Acme', size: 'many', terms: 'I agree' });
  });

  it('stores several values of one name as one text, as the element sends them', async () => {
    const { submit, raw } = harnessWithForm();
    const entered: [string, string][] = [
      ['company', 'Acme'],
      ['company', ''],
      ['company', 'Sons'],
    ];
    expect((await submit([...entered, ['size', '1'], ['terms', 'I agree']])).status).toBe(201);
    expect(readSignups(raw)[0]?.fields).toMatchObject({ company: 'Acme, Sons' });
  });

  it('stores lines, a telephone, a number, a day and several choices in their normal form, as the API does', async () => {
    const { post, raw } = appHarness({ fields: EXAMPLE_DECLARATIONS });
    const story = 'One\r\nTwo';
    const entered = { company: 'Acme', story, phone: '0049 (0)30 123456', prints: '007,50', opened: '2024-02-29' };
    const form = new URLSearchParams({ email: 'me@example.org', fields: '1', ...entered });
    form.append('needs', 'returns 2.0');
    form.append('needs', 'labels');
    expect((await post('/api/signup-form', form)).status).toBe(201);
    const body = { email: 'api@example.org', fields: { ...entered, prints: 7.5, needs: ['labels', 'returns 2.0'] } };
    expect((await post('/api/signups', body)).status).toBe(201);
    const phone = '+4930123456';
    const stored = { ...entered, story: 'One\nTwo', phone, prints: '7.5', needs: 'labels | returns 2.0' };
    expect(readSignups(raw).map(({ fields }) => fields)).toEqual([stored, stored]);
  });

  it('signs up from a page of before the declaration', async () => {
    const { submit, raw } = harnessWithForm();
    expect((await submit({})).status).toBe(201);
    expect(readSignups(raw)[0]).not.toHaveProperty('fields');
  });

  it('takes the longest values in any writing', async () => {
    const { submit, raw } = harnessWithForm();
    const company = '漢'.repeat(1_000);
    const site = `https://x.io/${'字'.repeat(180)}`;
    expect((await submit({ fields: '1', company, site, size: '1' })).status).toBe(201);
    expect(readSignups(raw)[0]?.fields).toEqual({ company, site, size: '1' });
  });

  it.each([
    ['en', { fields: '1' }, 'Something is missing', 'Company &#60;b&#62;&#38; partners&#60;/b&#62;'],
    ['es', { fields: '1', company: ' ' }, 'Falta algo', 'Company &#60;b&#62;'],
    ['ar', { size: '1' }, 'النموذج غير مكتمل', 'Company &#60;b&#62;'],
    ['en', { company: 'Acme', site: '<script>' }, 'Please check one field', '>Site<'],
    ['es', { company: 'x'.repeat(1_001) }, 'Hay algo que corregir', 'Company'],
    ['ar', { company: 'Acme', terms: '<script>' }, 'يوجد ما يحتاج إلى تصحيح', '>I agree<'],
  ])('says in %s which field of %j is missing or wrong', async (lang, form, title, label) => {
    const { submit, raw } = harnessWithForm();
    const response = await submit({ lang, ...form });
    const page = await response.text();
    expect([response.status, page]).toEqual([400, expect.stringContaining(`<h1>${title}</h1>`)]);
    expect(page).toContain(label);
    expect(page).not.toMatch(/<script|<b>/);
    expect(readSignups(raw)).toEqual([]);
  });
});

it('a declaration that contradicts itself fails at the start with the name of the field', () => {
  const create = () =>
    createEarlyAccess({ store: tempStore().store, fields: { size: { type: 'select', label: 'Size', options: [] } } });
  expect(create).toThrow(ConfigError);
  expect(create).toThrow(/^fields\.size: options must be/);
});

it('the dashboard gets the declaration, and a CSV with a column for each', async () => {
  const { signIn, request, store } = adminHarness({ fields });
  await store.createSignup(exampleSignup({ fields: { company: '=1+1', size: 'many', old: 'x' } }));
  const cookie = await signIn();
  const get = (path: string) => request('GET', `/admin${path}`, { cookie });
  const session: SessionResponse = JSON.parse(await (await get('/session')).text());
  expect(session.fields).toMatchObject(Object.keys(fields).map((name) => ({ name })));
  expect(session.fields).toContainEqual({
    name: 'terms',
    label: 'I agree',
    type: 'checkbox',
    choices: [],
    is_consent: true,
  });
  const csv = await (await get('/people.csv')).text();
  expect(csv).toMatch(/,"company","site","size","terms","other_fields","import_id","labels"\r\n/);
  expect(csv).toMatch(/,"'=1\+1",,"many",,"{""old"":""x""}",,\r\n$/);
});
