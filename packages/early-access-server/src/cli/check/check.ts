import { randomUUID } from 'node:crypto';
import { resolveTxt } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { normalizeEmail } from 'early-access-kit/core';
import { isLoopback } from '../../app/access/loopback.ts';
import { ConfigError } from '../../app/config-error.ts';
import { forgetPerson } from '../../app/people/forget.ts';
import type { Person, PersonMail } from '../../app/people/people.ts';
import type { Store } from '../../app/ports/store.ts';
import { parseMailbox } from '../../mail/address.ts';
import { mailFolder } from '../../mail/transports/mail-folder.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import type { DataSource } from '../admin-commands.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { findBrowser } from './browser.ts';
import { checkSender, type ResolveTxt } from './dns-checks.ts';
import { type Finding, formatFinding, ok, problem, unknown } from './finding.ts';
import { tryFetch } from './page.ts';
import { checkSite, describe } from './site-checks.ts';

const USAGE = 'check <address of the page with the form> [--email you@example.com] [--dkim selector]';
/** How long to wait for the check's email, and how often to look for it. */
const MAIL_MS = 60_000;
const MAIL_LOOK_MS = 500;

/**
 * Signs up on a page like a visitor, and checks every step: the page, the script, the origin, the policy, the form, the
 * session, the email, its sender, the unsubscribe link and the admin's sign-in. Prints a fix for each problem. Erases
 * the signup at the end. Returns 1 if there is a problem.
 */
export function checkCommand(data: DataSource, resolve: ResolveTxt = resolveTxt): Command {
  return async (context) => {
    const { site, email: given, dkim } = readArguments(context.args);
    const config = readConfig(context.env, '');
    const email = normalizeEmail(
      given ?? tagAddress(config.adminEmail?.split(',')[0] ?? parseMailbox(config.mailFrom)?.address ?? ''),
    );
    const store = await openStore(data, context);
    if (store && (await findPerson(store, email))) {
      await store.close();
      throw new ConfigError('the address of --email is on the list; use one that is not, because the check erases it');
    }
    const browser = await findBrowser(context.env.CHROME_PATH);
    let problems = 0;
    const print = (finding: Finding) => {
      if (finding.result === 'problem') problems += 1;
      context.stdout.write(formatFinding(finding));
    };
    try {
      const publicUrl = config.publicUrl && new URL(config.publicUrl);
      const checks = checkSite({ site, publicUrl, email, submitForm: browser?.submitForm ?? null });
      let step = await checks.next();
      while (!step.done) {
        print(step.value);
        step = await checks.next();
      }
      print(
        store === null
          ? unknown('email', 'run this where the server’s data is')
          : await checkEmail(store, email, config),
      );
      if (config.smtpUrl === null)
        print(unknown('SPF, DKIM, DMARC', 'SMTP_URL is not set, so no email leaves this machine'));
      else for await (const finding of checkSender(readDomain(config.mailFrom), dkim, resolve)) print(finding);
      if (step.value !== null) for await (const finding of checkLinks(step.value, config)) print(finding);
    } finally {
      await browser?.close();
      if (store) await eraseSignup(store, email, data.mailFolder(context.env));
      else context.stdout.write(`If ${email} is on the list now, erase it in the dashboard.\n`);
      await store?.close();
    }
    context.stdout.write(problems === 0 ? 'No problem was found.\n' : `Problems to fix: ${problems}.\n`);
    return problems === 0 ? 0 : 1;
  };
}

function readArguments(args: readonly string[]) {
  try {
    const options = { email: { type: 'string' }, dkim: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [site = '', ...rest] = positionals;
    if (rest.length > 0 || !/^https?:/.test(site) || !URL.canParse(site)) throw new UsageError(`usage: ${USAGE}`);
    return { site: new URL(site), email: values.email ?? null, dkim: values.dkim ?? null };
  } catch (error) {
    // `parseArgs` throws a `TypeError` if an option does not exist or has no value.
    throw error instanceof TypeError ? new UsageError(`usage: ${USAGE}`) : error;
  }
}

/** A sub-address of the same mailbox that is not on the list. */
function tagAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).split('+', 1)[0]}+check-${randomUUID().slice(0, 8)}${email.slice(at)}`;
}

function readDomain(from: string): string {
  return (parseMailbox(from)?.address ?? '').replace(/^.*@/, '');
}

/** Null if the data is on another machine. */
async function openStore(data: DataSource, context: CommandContext): Promise<Store | null> {
  try {
    return await data.open(context);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function checkEmail(store: Store, email: string, { smtpUrl }: Config): Promise<Finding> {
  const until = Date.now() + MAIL_MS;
  let person = await findPerson(store, email);
  if (person === null)
    return unknown('email', 'the signup is not in this database, so another one is in use, or it failed');
  while (person?.mail && isUnderWay(person.mail, until) && Date.now() < until) {
    await sleep(MAIL_LOOK_MS);
    person = await findPerson(store, email);
  }
  const mail = person?.mail;
  if (!mail) return unknown('email', 'none was queued; WELCOME_EMAIL is off');
  const reason = mail.reason === null ? mail.state : `${mail.state}: ${mail.reason}`;
  if (mail.state === 'queued' && mail.attempts === 0)
    return unknown('email', `it is waiting: ${mail.reason ?? 'the queue is long'}`);
  if (mail.state !== 'sent') {
    return problem('email', reason, 'the health page of the dashboard says what the mail server’s reply means');
  }
  return smtpUrl === null
    ? problem('email', 'it was written to a file', 'set SMTP_URL, MAIL_FROM and PUBLIC_URL, so that emails are sent')
    : ok('email', `the mail server accepted it for ${email}`);
}

function isUnderWay({ state, attempts, next_attempt_at }: PersonMail, until: number): boolean {
  return state === 'sending' || (state === 'queued' && attempts === 0 && next_attempt_at < until);
}

async function findPerson({ people }: Store, email: string): Promise<Person | null> {
  const listed = (await people.listed([email])).get(email);
  return listed === undefined ? null : people.find(listed.id);
}

async function eraseSignup(store: Store, email: string, folder: string | null): Promise<void> {
  const copies = folder === null ? null : mailFolder(folder);
  await forgetPerson({ store, email, copies, evenWhileSending: true });
}

async function* checkLinks(server: URL, { adminEmail, isLocalRun, smtpUrl }: Config): AsyncGenerator<Finding> {
  const page = await tryFetch(new URL('/unsubscribe', server));
  if (typeof page === 'string' || page.status !== 200) {
    yield problem('unsubscribe link', describe(page), 'pass the path /unsubscribe on to the server');
  } else if (server.protocol !== 'https:' && !isLoopback(server.hostname)) {
    yield problem('unsubscribe link', `${server.origin} is not https`, 'mail programs only offer one click for https');
  } else yield ok('unsubscribe link', `${page.url}`);

  const dashboard = await tryFetch(new URL('/admin', server));
  if (adminEmail === null) yield problem('admin', 'there is none', 'set ADMIN_EMAIL');
  else if (typeof dashboard === 'string' || dashboard.status !== 200) {
    yield problem('admin', `/admin: ${describe(dashboard)}`, 'pass the path /admin on to the server');
  } else if (smtpUrl === null && !isLocalRun) {
    yield problem('admin', 'the sign-in link cannot be sent', 'set SMTP_URL');
  } else {
    const headers = { origin: server.origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ email: adminEmail.split(',')[0] });
    const asked = await tryFetch(new URL('/api/admin/sign-in', server), { method: 'POST', headers, body });
    yield typeof asked !== 'string' && asked.status === 202
      ? ok('admin', smtpUrl === null ? 'a sign-in link was printed by the server' : 'a sign-in link is on its way')
      : problem('admin', describe(asked), 'see the server’s log for the same minute');
  }
}
