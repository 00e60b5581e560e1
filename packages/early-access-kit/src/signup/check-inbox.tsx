import { useEffect, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import { SIGNUP_KEY } from '../core/protocol.ts';
import { useEarlyAccess } from '../provider.tsx';
import { englishInboxMessages } from './inbox-messages.ts';
import { inboxOf } from './inboxes.ts';

/** Hosts style links anywhere, and the success message has a surface of its own. */
const LINK = { color: 'inherit', fontWeight: 600 } as const;

export interface CheckInboxProps {
  /** Your own classes for the parts. */
  classNames?: { title?: string | undefined; text?: string | undefined; link?: string | undefined } | undefined;
}

/**
 * For servers that ask people to confirm their address: tells the visitor who has just signed up to open the link in the email, with a
 * link to their webmail. Show it once the status of `useSignup` is `success`, or as the slot `success` of `SignupForm`. If the server's
 * pages are on the same origin, this browser then confirms without another click.
 */
export function CheckInbox({ classNames = {} }: CheckInboxProps) {
  const { messages, session } = useEarlyAccess();
  const texts = { ...englishInboxMessages, ...messages };
  // A second form of the page may sign up another address.
  const [signup] = useState(session.signup);
  const inbox = inboxOf(signup?.email ?? '');

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
