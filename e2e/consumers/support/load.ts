import { signupOf } from '@early-access-kit/testkit/records';

const CLIENTS = 64;

/**
 * Signs up `count` people as fast as the server responds, each from a different address behind one proxy. Returns the
 * number of created signups.
 */
export async function signUpMany(origin: string, count: number): Promise<number> {
  let sent = 0;
  let created = 0;
  async function client(): Promise<void> {
    while (sent < count) {
      sent += 1;
      const address = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
      const headers = { 'Content-Type': 'text/plain', 'X-Forwarded-For': address };
      const response = await fetch(`${origin}/api/signups`, {
        method: 'POST',
        headers,
        body: JSON.stringify(signupOf()),
      });
      await response.arrayBuffer();
      if (response.status === 201) created += 1;
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return created;
}
