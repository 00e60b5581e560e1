import { verify, X509Certificate } from 'node:crypto';
import { StorageError } from 'early-access-kit/core';
import { ConfigError } from '../config-error.ts';
import { readField, readString } from '../text/read-field.ts';

export const TOPIC_ARN = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]{3,32}):\d{12}:[\w-]{1,256}$/;

/** The signed fields by message type. Amazon omits the subject if there is none. */
const SIGNED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
]);
/** Hash algorithms by signature version. */
const HASHES: ReadonlyMap<unknown, string> = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);
/** Amazon replaces its certificate about once a year. */
const MAX_CERTIFICATES = 8;

/** Reads text from an Amazon URL. Rejects unless the response is successful. Follows no redirects. */
export type FetchText = (url: string) => Promise<string>;

/**
 * Returns a function that verifies a message of this topic. It returns a notification's text, an empty text for any
 * other genuine message, or null if the message is not genuine. Confirms subscriptions to this topic. Only fetches from
 * the SNS host of the topic's region, and never for another topic. Throws a `ConfigError` if `topicArn` is not an ARN.
 */
export function snsReader(topicArn: string, fetchText: FetchText) {
  const [isTopic, partition, region] = TOPIC_ARN.exec(topicArn) ?? [];
  if (isTopic === undefined) throw new ConfigError('mailEvents.ses must be the ARN of a topic of Amazon SNS');
  const origin = `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
  const certificates = new Map<string, Promise<X509Certificate>>();

  function getCertificate(url: string): Promise<X509Certificate> {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    if (certificates.size >= MAX_CERTIFICATES) certificates.clear();
    const fetched = fetchText(url)
      .catch(fail)
      .then((pem) => new X509Certificate(pem));
    certificates.set(url, fetched);
    fetched.catch(() => certificates.delete(url));
    return fetched;
  }

  async function isGenuine(message: unknown): Promise<boolean> {
    const fields = SIGNED_FIELDS.get(readField(message, 'Type'));
    const hash = HASHES.get(readField(message, 'SignatureVersion'));
    const url = readString(message, 'SigningCertURL');
    const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : '';
    if (fields === undefined || hash === undefined || !/^\/SimpleNotificationService-\w{1,64}\.pem$/.test(path))
      return false;
    const lines = fields.flatMap((name) => {
      const value = readField(message, name);
      return typeof value === 'string' ? [name, value] : [];
    });
    const signature = Buffer.from(readString(message, 'Signature'), 'base64');
    const { publicKey } = await getCertificate(url);
    return verify(hash, Buffer.from(`${lines.join('\n')}\n`), publicKey, signature);
  }

  return async (message: unknown): Promise<string | null> => {
    if (readField(message, 'TopicArn') !== topicArn || !(await isGenuine(message))) return null;
    if (readField(message, 'Type') === 'Notification') return readString(message, 'Message');
    const query = { Action: 'ConfirmSubscription', TopicArn: topicArn, Token: readString(message, 'Token') };
    await fetchText(`${origin}/?${new URLSearchParams(query)}`).catch(fail);
    return '';
  };
}

function fail(cause: unknown): never {
  throw new StorageError('unavailable', 'Amazon SNS does not respond', { cause });
}
