import { useMutation } from '@tanstack/react-query';
import { isValidEmail } from 'early-access-kit/core';
import { MailCheck } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { Announced, Notice } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './sign-in.module.css';

/** Requests a sign-in link. The response is the same for every address. */
export function SignInForm({ email: initial = '' }: { readonly email?: string }) {
  const api = useApi();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(initial);
  const [isInvalid, setInvalid] = useState(false);
  const request = useMutation({ mutationFn: () => api.direct.post('/sign-in', { email: email.trim() }) });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const valid = isValidEmail(email);
        setInvalid(!valid);
        if (valid && !request.isPending) request.mutate();
        else input.current?.focus();
      }}
    >
      <label className={ui.field} htmlFor={id}>
        Your email address
        <input
          ref={input}
          id={id}
          className={ui.input}
          type="email"
          name="email"
          autoComplete="email"
          required
          value={email}
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? `${id}-problem` : undefined}
          onChange={(event) => {
            setEmail(event.target.value);
            setInvalid(false);
          }}
        />
      </label>
      <div role="alert" className={styles.problem}>
        {isInvalid && (
          <p id={`${id}-problem`} className={`${ui.text} ${ui.problem}`}>
            Please enter a valid email address.
          </p>
        )}
        {request.error && <p className={`${ui.text} ${ui.problem}`}>{request.error.message}</p>}
      </div>
      <Button type="submit" look="primary" busy={request.isPending}>
        {request.isPending ? 'Sending…' : request.isSuccess ? 'Send another link' : 'Send me a sign-in link'}
      </Button>
      <PasskeySignIn />
      <Announced>
        {request.isSuccess && (
          <Notice icon={MailCheck}>
            If this address belongs to an admin, a link is on its way. It works once, for 15 minutes.
          </Notice>
        )}
      </Announced>
    </form>
  );
}
