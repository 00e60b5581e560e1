import type { WelcomeEmail } from '../../mail/compose.ts';
import type { DeliveryResult, MailTransport } from '../../mail/transport.ts';

/** Composes and delivers. Never rejects: what cannot be composed is refused for good, because it would throw again. */
export async function handOver(compose: () => WelcomeEmail, transport: MailTransport): Promise<DeliveryResult> {
  let email: WelcomeEmail;
  try {
    email = compose();
  } catch {
    return { outcome: 'refused', permanent: true, reason: 'the message could not be made' };
  }
  try {
    return await transport.deliver(email);
  } catch {
    return { outcome: 'unknown', reason: 'the transport failed' };
  }
}
