import { useEffect, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import { SIGNUP_KEY } from '../core/protocol.ts';
import { useEarlyAccess } from '../provider.tsx';
import { englishInboxMessages } from './inbox-messages.ts';

/** Webmail by the domains of its addresses. */
const INBOXES: readonly (readonly [domains: RegExp, url: string])[] = [
  [/^(gmail|googlemail)\.com$/, 'https://mail.google.com/mail/'],
  [/^(outlook|hotmail|live|msn)\.(com|[a-z]{2}|com?\.[a-z]{2})$/, 'https://outlook.live.com/mail/'],
  [/^(yahoo\.(com|[a-z]{2}|com?\.[a-z]{2})|ymail\.com|rocketmail\.com)$/, 'https://mail.yahoo.com/'],
  [/^(icloud|me|mac)\.com$/, 'https://www.icloud.com/mail/'],
  [/^(proton\.me|protonmail\.com|pm\.me)$/, 'https://mail.proton.me/'],
  [/^gmx\.(de|net|at|ch)$/, 'https://www.gmx.net/'],
  [/^gmx\.(com|us|co\.uk|es|fr)$/, 'https://www.gmx.com/'],
  [/^web\.de$/, 'https://web.de/'],
  [/^fastmail\.(com|fm)$/, 'https://app.fastmail.com/'],
  [/^aol\.com$/, 'https://mail.aol.com/'],
];

/** The webmail of an address; undefined if its provider is not known. */
export function findWebmail(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return INBOXES.find(([domains]) => domains.test(domain))?.[1];
}

/** The host's color for links may not be readable on the surface of the success message. */
const LINK = { color: 'inherit', fontWeight: 600 } as const;

export interface CheckInboxProps {
  /** Your own classes for the parts. */
  classNames?: { title?: string | undefined; text?: string | undefined; link?: string | undefined } | undefined;
}

/**
 * Tells the visitor who has just signed up to open the link in the email, if the server asks people to confirm their address, with a
 * link to their webmail. Show it once the status of `useSignup` is `success`, or as the slot `success` of `SignupForm`. If the server's
 * pages are on the same origin, this browser then confirms without another click.
 */
export function CheckInbox({ classNames = {} }: CheckInboxProps) {
  const { messages, session } = useEarlyAccess();
  const texts = { ...englishInboxMessages, ...messages };
  // A second form of the page may sign up another address.
  const [signup] = useState(session.signup);
  const inbox = findWebmail(signup?.email ?? '');

  useEffect(() => {
    try {
      if (signup) localStorage.setItem(SIGNUP_KEY, signup.submission_id);
    } catch {
      // Without storage, the page that confirms asks for a click.
    }
  }, [signup]);

  return (
    <>
      <p className={joinClassNames('eak-signup__success-title', classNames.title)}>{texts.checkInboxTitle}</p>
      <p className={joinClassNames('eak-signup__success-text', classNames.text)}>{texts.checkInboxText}</p>
      {inbox && (
        <p>
          <a href={inbox} target="_blank" rel="noreferrer" className={classNames.link} style={LINK}>
            {texts.openInbox}
          </a>
        </p>
      )}
    </>
  );
}
