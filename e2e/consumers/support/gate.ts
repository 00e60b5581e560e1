import { randomBytes } from 'node:crypto';
import type { Running } from '@early-access-kit/testkit/child-process';
import { type Backend, startSelfHosted } from '../../support/backend.ts';
import { invite } from '../../support/invite.ts';
import { receiveToken } from '../../support/links.ts';
import { type Installation, inFolder } from './install.ts';
import { freeOrigin, startProgram } from './program.ts';

interface Harness {
  readonly install: (installation: Installation) => Promise<string>;
  readonly atTheEnd: (undo: () => Promise<unknown>) => void;
}

export interface GatedProduct {
  readonly backend: Backend;
  readonly origin: string;
  readonly program: Running;
  /** Signs the address up for the list and invites it. Returns the invitation link. */
  inviteLink(email: string): Promise<string>;
}

/** Builds and starts the example of an invite-only product, and the server of its list. */
export async function startGatedProduct(
  { install, atTheEnd }: Harness,
  installation: Installation,
  env: (own: { readonly folder: string; readonly origin: string }) => NodeJS.ProcessEnv,
): Promise<GatedProduct> {
  const folder = await install(installation);
  await inFolder({ folder }, 'pnpm', 'run', 'build');
  const [{ origin, port }, key] = [await freeOrigin(), randomBytes(32).toString('hex')];
  const backend = await startSelfHosted({ INVITE_URL: `${origin}/join`, INVITE_KEY: key });
  atTheEnd(backend.close);
  const program = await startProgram(folder, ['src/server.ts'], {
    origin,
    env: { PORT: port, EARLY_ACCESS_URL: backend.server.origin, INVITE_KEY: key, ...env({ folder, origin }) },
  });
  atTheEnd(program.stop);
  return {
    backend,
    origin,
    program,
    async inviteLink(email) {
      const body = new URLSearchParams({ email });
      await fetch(`${backend.server.origin}/api/signup-form`, { method: 'POST', body });
      await backend.mailbox.waitForMail(email);
      await invite(backend, 1);
      return `${origin}/join#invite=${await receiveToken(backend.mailbox, email, 'invite', 1)}`;
    },
  };
}
