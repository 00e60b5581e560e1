import { randomInt } from 'node:crypto';
import { createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod';
import { readJson } from '../app/access/read-json.ts';
import { SHORTEST_KEY, sha256 } from '../app/access/secrets.ts';
import { ConfigError } from '../app/config-error.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';

/** The key that signs challenges, and the amount of work. */
export interface ProofOfWorkOptions {
  /** Signs the challenges: at least 32 random characters, the same in every process. */
  readonly key: string;
  /**
   * The most keys that a browser has to derive; on average three quarters of them. Default: 1,000, about two seconds on
   * one core.
   */
  readonly work?: number;
}

/** PBKDF2 iterations per key. */
const COST = 5_000;
const LIFETIME_MS = 600_000;
/** The fields that are used before the signature is verified. It covers all parameters of the challenge. */
const PAYLOAD = z.object({
  challenge: z.object({ signature: z.string().regex(/^[\da-f]{64}$/), parameters: z.looseObject({}) }),
  solution: z.looseObject({}),
});

/**
 * Checks that the browser has spent time on a challenge from this server, using ALTCHA's protocol. Needs no third
 * party, and no action by the visitor. Bots can do the work as well, but it slows them down. Throws a `ConfigError` if
 * the key is too short.
 *
 * @example
 * createEarlyAccess({ store, verifyHuman: verifyProofOfWork({ key }) });
 */
export function verifyProofOfWork({ key, work = 1_000 }: ProofOfWorkOptions): VerifyHuman {
  if (key.length < SHORTEST_KEY) {
    throw new ConfigError(
      `proof-of-work needs a key of at least ${SHORTEST_KEY} characters, such as the output of "openssl rand -hex 32"`,
    );
  }
  const secrets = {
    hmacSignatureSecret: sha256(`challenge\n${key}`),
    // With this key a single hash checks a solution, so that wrong solutions cost the server little.
    hmacKeySignatureSecret: sha256(`solution\n${key}`),
  };
  return {
    name: 'proof-of-work',
    tokenLifetimeMs: LIFETIME_MS,
    challenge: () =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(Math.floor(work / 2), work),
        deriveKey,
        expiresAt: new Date(Date.now() + LIFETIME_MS),
        ...secrets,
      }),
    // A solution can be encoded in several ways, but its challenge has only one signature.
    idOf: (token) => readPayload(token)?.challenge.signature ?? null,
    async verify(token) {
      const solved = readPayload(token);
      return solved !== null && (await verifySolution({ ...solved, deriveKey, ...secrets })).verified;
    },
  };
}

/** Decodes a solved challenge, which is JSON in base64, without verifying it. Null if the format is wrong. */
function readPayload(token: string): Payload | null {
  const value = readJson(Buffer.from(token, 'base64').toString());
  return isPayload(value) ? value : null;
}

function isPayload(value: unknown): value is Payload {
  return PAYLOAD.safeParse(value).success;
}
