import type { Server } from '@early-access-kit/testkit/built-server';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { DAY_MS } from 'early-access-kit/core';
import { expect, it, vi } from 'vitest';
import { signIn } from '../support/admin.ts';
import { postAsNewClient, signAllUp } from '../support/crowd.ts';
import { startDeployment } from '../support/deployment.ts';
import { receiveToken } from '../support/links.ts';
import { movedClock } from '../support/moved-clock.ts';

const PEOPLE = rounds({ short: 10, long: 200 });
const SETTINGS = { CONFIRM: 'on', INVITE_URL: 'https://product.example/join', INVITE_KEY: 'k'.repeat(32) };

it('a clock that jumps a week forward and back between runs: links expire, waves continue, and nobody is mailed twice', async () => {
  const deployment = await startDeployment(undefined, SETTINGS);
  let server: Server = await deployment.serve();
  const restart = async (days: number) => {
    await server.stop();
    server = await deployment.serve(movedClock(days * DAY_MS));
  };
  /** Waits until each has `count` emails, and until one to a new person has arrived, so that no earlier one is due. */
  const expectMails = async (emails: readonly string[], count: number) => {
    const mails = () => emails.map((email) => deployment.mailbox.mailsTo(email).length);
    await vi.waitFor(() => expect(mails()).toEqual(emails.map(() => count)));
    const [marker = ''] = await signAllUp(server.origin, 1);
    await deployment.mailbox.waitForMail(marker);
    expect(mails()).toEqual(emails.map(() => count));
  };
  /** Confirms with the link in each one's email number `index`. Returns the statuses. */
  const confirm = (emails: readonly string[], index: number) =>
    Promise.all(
      emails.map(async (email) => {
        const token = await receiveToken(deployment.mailbox, email, '/confirm#token=', index);
        const response = await postAsNewClient(`${server.origin}/api/confirm`, { token }, 'application/json');
        return response.json();
      }),
    );
  const all = (emails: readonly string[], result: string) => emails.map(() => ({ result }));
  const invite = async (after: string | null): Promise<string> => {
    const admin = await signIn(deployment, server);
    const response = await admin.post('/invites', { count: PEOPLE, after });
    expect(response.status).toBe(200);
    const { id, people } = await response.json();
    expect(people).toBe(PEOPLE);
    return id;
  };

  const [early, late] = [await signAllUp(server.origin, PEOPLE), await signAllUp(server.origin, PEOPLE)];
  await expectMails([...early, ...late], 1);

  await restart(1);
  expect(await confirm(early, 0)).toEqual(all(early, 'confirmed'));
  await expectMails([...early, ...late], 1);

  await restart(8);
  // The reminder after three days, with a new link.
  await expectMails(late, 2);
  expect(await confirm(late, 0)).toEqual(all(late, 'expired'));
  const first = await invite(null);
  await expectMails(early, 2);

  await restart(0);
  expect(await confirm(late, 1)).toEqual(all(late, 'confirmed'));
  const second = await invite(first);
  await expectMails(late, 3);

  await restart(1);
  expect(second).not.toBe(first);
  await expectMails(early, 2);
  await expectMails(late, 3);
  report('clock: people mailed twice', `0 of ${2 * PEOPLE}, after 4 jumps`);
});
