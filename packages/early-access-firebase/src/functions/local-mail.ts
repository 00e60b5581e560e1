import { fileTransport, type MailTransport } from 'early-access-server';

/** The prefix of `SMTP_URL` for writing emails to files, on the emulator: `file:../data/mail`. */
export const MAIL_FILES = 'file:';

/** Writes emails to a folder, and prints their links for signing in, confirming and accepting an invitation. */
export function localMail(folder: string): MailTransport {
  const files = fileTransport({ folder });
  return {
    ...files,
    async deliver(email) {
      const [link] = /http\S*#(?:token|invite)=[\w-]+/.exec(email.text) ?? [];
      if (link !== undefined) process.stdout.write(`${email.subject}: ${link}\n`);
      return files.deliver(email);
    },
  };
}
