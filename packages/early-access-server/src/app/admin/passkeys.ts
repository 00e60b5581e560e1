import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { StorageError } from 'early-access-kit/core';
import { findPasskeySite, MAX_PASSKEYS, mayAddPasskey, PASSKEY_CHALLENGE_MS } from '../access/passkeys.ts';
import { hashToken, newToken, sha256 } from '../access/secrets.ts';
import type { AdminSession, AdminStore } from '../ports/admin-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Passkey, PasskeyStore } from '../ports/passkey-store.ts';

export interface PasskeysOptions {
  readonly store: PasskeyStore;
  readonly admin: Pick<AdminStore, 'addSignInToken' | 'takeSignInToken'>;
  readonly publicUrl: URL | null;
  /** The name that browsers show when they ask for the passkey. */
  readonly name: string;
  /** Called after a passkey was added. Null: no emails are sent. */
  readonly onAdded: (() => void) | null;
  readonly clock: Clock;
}

export type Passkeys = ReturnType<typeof passkeyService>;

/** Challenges are stored in the same table as sign-in links. The purpose prevents one from being used as the other. */
type Purpose = 'add' | 'sign-in';

const TOO_OLD = 'this took too long, or was already used; try again';
const NOT_VERIFIED = 'the passkey could not be verified';

/** EdDSA, ES256 and RS256, which all browsers support. Node warns about others in the library's default list. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded lazily, because the library loads slowly and few requests need it. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/**
 * Registers passkeys and signs in with them. A challenge works once, within five minutes, and for one purpose; a
 * challenge to add a passkey also works for one address only. User verification (a PIN or biometrics) is required,
 * because a passkey is the only factor.
 */
export function passkeyService({ store, admin, publicUrl, name, onAdded, clock }: PasskeysOptions) {
  /** Throws a `StorageError` if passkeys cannot be used on this site. */
  function requireSite(pageOrigin: string | undefined) {
    const site = findPasskeySite(publicUrl, pageOrigin);
    if (site !== null) return site;
    throw new StorageError('invalid', 'passkeys need a domain: set PUBLIC_URL to one, and open the dashboard there');
  }

  /** `email` is empty for signing in, because the passkey identifies its owner. */
  async function newChallenge(purpose: Purpose, email: string): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = newToken();
    const expires_at = clock() + PASSKEY_CHALLENGE_MS;
    await admin.addSignInToken({ hash: hashChallenge(purpose, challenge), email, expires_at });
    return Uint8Array.from(Buffer.from(challenge, 'base64url'));
  }

  /** Uses up the challenge. Returns whether it was unused and belongs to this purpose and address. */
  const takeChallenge = (purpose: Purpose, email: string) => async (challenge: string) =>
    (await admin.takeSignInToken(hashChallenge(purpose, challenge))) === email;

  return {
    isAvailable: (pageOrigin: string | undefined) => findPasskeySite(publicUrl, pageOrigin) !== null,
    list: (email: string) => store.list(email),
    rename: store.rename,
    remove: store.remove,

    /** Options for the browser's WebAuthn call that creates a passkey. Throws a `StorageError` if none may be added. */
    async askToAdd(session: AdminSession, pageOrigin: string | undefined) {
      const { domain } = requireSite(pageOrigin);
      if (!mayAddPasskey(session, clock())) {
        throw new StorageError(
          'invalid',
          'you signed in more than an hour ago: sign out and in again, then add the passkey',
        );
      }
      const { email } = session;
      const passkeys = await store.list(email);
      if (passkeys.length >= MAX_PASSKEYS) {
        throw new StorageError('invalid', `there are already ${MAX_PASSKEYS} passkeys; remove one first`);
      }
      const { generateRegistrationOptions } = await loadWebAuthn();
      return generateRegistrationOptions({
        rpName: name,
        rpID: domain,
        userName: email,
        // The authenticator stores this value, so it must not be the address.
        userID: Uint8Array.from(Buffer.from(sha256(`passkeys of ${email}`), 'hex')),
        challenge: await newChallenge('add', email),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: passkeys.map(({ credential_id: id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /** Verifies and stores a new passkey. Throws a `StorageError` if verification fails. */
    async add(
      { email }: AdminSession,
      { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
      pageOrigin: string | undefined,
    ): Promise<Passkey> {
      const { domain, origin } = requireSite(pageOrigin);
      const { verifyRegistrationResponse } = await loadWebAuthn();
      const check = onceChecked(takeChallenge('add', email));
      const { registrationInfo } = await refuseErrors(check, () =>
        verifyRegistrationResponse({
          response,
          expectedChallenge: check.challenge,
          expectedOrigin: origin,
          expectedRPID: domain,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (registrationInfo === undefined) throw new StorageError('invalid', NOT_VERIFIED);
      const { id: credential_id, publicKey, counter } = registrationInfo.credential;
      const added = await store.add(
        {
          email,
          name,
          credential_id,
          public_key: Buffer.from(publicKey).toString('base64url'),
          counter,
        },
        onAdded && { type: 'passkey-added', since: clock() },
      );
      if (added === null) throw new StorageError('invalid', 'this passkey is already stored');
      onAdded?.();
      return added;
    },

    /** Options for the browser's WebAuthn call that signs in. They reveal nothing about who has a passkey. */
    async askToSignIn(pageOrigin: string | undefined) {
      const { domain } = requireSite(pageOrigin);
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const challenge = await newChallenge('sign-in', '');
      return generateAuthenticationOptions({ rpID: domain, challenge, userVerification: 'required' });
    },

    /** Returns the passkey used and its new counter. Throws a `StorageError` if verification fails. */
    async verify(response: AuthenticationResponseJSON, pageOrigin: string | undefined) {
      const { domain, origin } = requireSite(pageOrigin);
      const passkey = await store.find(response.id);
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const check = onceChecked(takeChallenge('sign-in', ''));
      if (passkey === null) {
        throw new StorageError('invalid', 'this passkey was removed from the dashboard; sign in with a link');
      }
      const { verified, authenticationInfo } = await refuseErrors(check, () =>
        verifyAuthenticationResponse({
          response,
          expectedChallenge: check.challenge,
          expectedOrigin: origin,
          expectedRPID: domain,
          // The counter is not checked here: the store compares it in the transaction that opens the session.
          credential: {
            id: passkey.credential_id,
            publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
            counter: 0,
          },
          requireUserVerification: true,
        }),
      );
      if (!verified) throw new StorageError('invalid', NOT_VERIFIED);
      return { passkey, counter: authenticationInfo.newCounter };
    },
  };
}

function hashChallenge(purpose: Purpose, challenge: string): string {
  return hashToken(`passkey ${purpose} ${challenge}`);
}

/** Returns a challenge check for the library that records whether the challenge was rejected or the store failed. */
function onceChecked(take: (challenge: string) => Promise<boolean>) {
  const check = {
    isRefused: false,
    failure: null as unknown,
    async challenge(challenge: string): Promise<boolean> {
      try {
        const isTaken = await take(challenge);
        check.isRefused = !isTaken;
        return isTaken;
      } catch (error) {
        check.failure = error;
        throw error;
      }
    },
  };
  return check;
}

/** The library throws for every problem in a response, with messages meant for developers. */
async function refuseErrors<T>(check: ReturnType<typeof onceChecked>, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    if (check.failure !== null) throw check.failure;
    throw new StorageError('invalid', check.isRefused ? TOO_OLD : NOT_VERIFIED, { cause });
  }
}
