/** @jsxImportSource preact */
// @vitest-environment jsdom
import { type HTMLAttributes, render } from 'preact';
import { expect, it } from 'vitest';
import '../embed.ts';
import type { EarlyAccessElements } from './types.ts';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends EarlyAccessElements<HTMLAttributes<HTMLElement>> {}
  }
}

it('types the elements in Preact’s JSX, without React’s types', () => {
  const page = document.createElement('div');
  render(
    <>
      <early-access-form
        class="hero"
        source="footer"
        human-check="turnstile"
        suggest
        no-bot-guard
        success-url="/thanks"
        onearly-access-error={({ detail }) => void detail.reason}
      />
      {/* @ts-expect-error unknown attribute */}
      <early-access-form sorce="footer" />
      <early-access-tracker end-session="idle" allow-bots={false} />
      <early-access-share />
      <early-access-count text="{count} have joined" text-one="{count} has joined" />
      {/* @ts-expect-error the text must be a string */}
      <early-access-count text={7} />
      {/* @ts-expect-error the attribute must be a string */}
      <early-access-admin dashboard-url={7} />
    </>,
    page,
  );
  expect(page.querySelector('early-access-form')?.getAttribute('source')).toBe('footer');
});
