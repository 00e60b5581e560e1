import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** Collects errors, warnings and policy violations of the context's pages from now on. The returned array grows. */
export function hearComplaints(
  context: BrowserContext,
  isExpected: (message: ConsoleMessage) => boolean = () => false,
) {
  const heard: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isExpected(message)) heard.push(message.text());
  });
  context.on('weberror', (failure) => heard.push(String(failure.error())));
  return heard;
}
