import { describeError } from '../../app/ports/log.ts';
import { problem } from './finding.ts';
import { judgeSignup, type SubmitForm } from './site-checks.ts';

const WAIT_MS = 20_000;

/**
 * Finds a browser on this machine with the optional package `playwright-core`. `CHROME_PATH` specifies its executable.
 * Null if there is none; the form is then checked over HTTP.
 */
export async function findBrowser(executablePath: string | undefined) {
  try {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch(executablePath ? { executablePath } : { channel: 'chrome' });
    const submitForm: SubmitForm = async (page, email) => {
      const tab = await browser.newPage();
      tab.setDefaultTimeout(WAIT_MS);
      const blocked = new Promise<string>((resolve) => {
        tab.on('console', (message) => {
          if (/content security policy/i.test(message.text())) resolve(message.text());
        });
      });
      const signUp = async () => {
        await tab.goto(page.href);
        const input = tab.locator('form:has(input[type=email]) input[type=email]').first();
        await input.fill(email);
        const [response] = await Promise.all([
          tab.waitForResponse((response) => /\/signups$/.test(new URL(response.url()).pathname)),
          input.press('Enter'),
        ]);
        return judgeSignup({ status: response.status(), body: await response.body() });
      };
      const blame = (reason: string) =>
        problem('form', reason, 'change the page’s Content-Security-Policy as the message says');
      try {
        return await Promise.race([signUp(), blocked.then(blame)]);
      } catch (error) {
        const reason = describeError(error).split('\n', 1)[0] ?? '';
        return problem('form', `no signup was sent from the page: ${reason}`, 'open the page’s console for errors');
      } finally {
        await tab.close();
      }
    };
    return { submitForm, close: () => browser.close() };
  } catch {
    return null;
  }
}
