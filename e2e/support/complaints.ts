import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** All that the context's pages complain about from now on: errors, warnings, violations of the policy. The array grows. */
export function hearComplaints(context: BrowserContext, isMeant: (message: ConsoleMessage) => boolean = () => false) {
  const heard: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isMeant(message)) heard.push(message.text());
  });
  context.on('weberror', (failure) => heard.push(String(failure.error())));
  return heard;
}
