// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StorageError } from '../core/errors.ts';
import { es } from '../messages/es.ts';
import { type FakeTurnstile, type FakeWork, installTurnstile } from './turnstile.fixture.ts';
import { turnstile } from './turnstile.ts';

let fake: FakeTurnstile | undefined;

afterEach(() => {
  vi.useRealTimers();
  fake?.uninstall();
  document.body.replaceChildren();
});

const check = turnstile({ siteKey: '0x4AAA' });

/** Creates a form with the container of its check. */
function setUp(work: FakeWork, parent: Node = document.body) {
  fake = installTurnstile(work);
  const form = parent.appendChild(document.createElement('form'));
  const container = form.appendChild(document.createElement('div'));
  return { fake, form, container };
}

const unavailable = expect.objectContaining({ name: 'StorageError', code: 'unavailable' });

it('returns a new token for each attempt and removes everything', async () => {
  const { fake, container } = setUp(({ pass }) => pass());
  const first = await check.token(container);
  expect(first).toMatch(/^token-/);
  expect(await check.token(container)).not.toBe(first);
  expect(container.outerHTML).toBe('<div></div>');
  expect(fake.widgets.size).toBe(0);
});

it('renders the widget for this site, hidden, without an input', async () => {
  const { fake, container } = setUp(() => undefined);
  const token = check.token(container);
  await vi.waitFor(() => expect(fake.widgets.size).toBe(1));
  const [parameters] = fake.widgets.values();
  expect(parameters).toMatchObject({
    sitekey: '0x4AAA',
    appearance: 'interaction-only',
    execution: 'execute',
    'response-field': false,
  });
  container.remove();
  await expect(token).rejects.toEqual(unavailable);
});

it('runs for two forms of a page at the same time', async () => {
  const works: Parameters<FakeWork>[0][] = [];
  const { container, form } = setUp((work) => works.push(work));
  const other = form.appendChild(document.createElement('div'));
  const tokens = [check.token(container), check.token(other)];
  await vi.waitFor(() => expect(works).toHaveLength(2));
  works[1]?.fail('300010');
  await expect(tokens[1]).rejects.toEqual(unavailable);
  works[0]?.pass();
  expect(await tokens[0]).toMatch(/^token-/);
});

describe('if it asks a question', () => {
  it.each([
    [undefined, 'Please confirm that you are human'],
    [es, es.confirmHuman],
  ])('it is announced, gets the focus, and is gone after the answer (%#)', async (messages, label) => {
    const { container } = setUp(({ ask }) => ask());
    const token = check.token(container, messages);
    await vi.waitFor(() => expect(container.hasAttribute('data-asks')).toBe(true));
    const box = container.querySelector('.eak-form__question');
    expect(document.activeElement).toBe(box);
    expect([box?.role, box?.ariaLabel]).toEqual(['group', label]);
    container.querySelector('input')?.click();
    expect(await token).toMatch(/^token-/);
    expect(container.outerHTML).toBe('<div></div>');
  });

  it('the visitor has unlimited time, but a widget without progress fails', async () => {
    vi.useFakeTimers();
    let asks = false;
    const { container } = setUp(({ ask }) => asks && ask());
    const silent = check.token(container).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await silent).toEqual(unavailable);
    asks = true;
    const asked = check.token(container);
    await vi.advanceTimersByTimeAsync(600_000);
    container.querySelector('input')?.click();
    expect(await asked).toMatch(/^token-/);
  });

  it('it is removed with its form', async () => {
    const { fake, form, container } = setUp(({ ask }) => ask());
    const token = check.token(container);
    await vi.waitFor(() => expect(container.querySelector('input')).not.toBeNull());
    form.remove();
    await expect(token).rejects.toEqual(unavailable);
    expect(fake.widgets.size).toBe(0);
  });

  it('is not removed while its form is moved', async () => {
    const { form, container } = setUp(({ ask }) => ask());
    const token = check.token(container);
    await vi.waitFor(() => expect(container.querySelector('input')).not.toBeNull());
    document.body.appendChild(document.createElement('main')).append(form);
    await Promise.resolve();
    container.querySelector('input')?.click();
    expect(await token).toMatch(/^token-/);
  });
});

it('fails with the provider’s code, and succeeds at the next attempt', async () => {
  let fails = true;
  const { fake, container } = setUp(({ pass, fail }) => (fails ? fail('110200') : pass()));
  const failed = await check.token(container).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StorageError);
  expect(failed).toMatchObject({ code: 'unavailable', cause: '110200' });
  fails = false;
  expect(await check.token(container)).toMatch(/^token-/);
  expect(fake.widgets.size).toBe(0);
});

describe('in a shadow root', () => {
  function setUpShadow(work: FakeWork) {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    return { host, ...setUp(work, root) };
  }

  it('the widget is in the document, shown where the container is', async () => {
    const { host, container } = setUpShadow(({ ask }) => ask());
    const token = check.token(container);
    await vi.waitFor(() => expect(host.querySelector('input')).not.toBeNull());
    const { slot } = host.querySelector('.eak-form__question') ?? {};
    expect(container.innerHTML).toBe(`<slot name="${slot}"></slot>`);
    host.querySelector('input')?.click();
    expect(await token).toMatch(/^token-/);
    expect([host.innerHTML, container.outerHTML]).toEqual(['', '<div></div>']);
  });

  it.each(['the host', 'the form'] as const)('it is removed if %s is removed', async (which) => {
    const { fake, host, form, container } = setUpShadow(({ ask }) => ask());
    const token = check.token(container);
    await vi.waitFor(() => expect(fake.widgets.size).toBe(1));
    (which === 'the host' ? host : form).remove();
    await expect(token).rejects.toEqual(unavailable);
    expect(fake.widgets.size).toBe(0);
  });
});
