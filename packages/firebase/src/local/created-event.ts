import { randomUUID } from 'node:crypto';

export interface CreatedDocument {
  readonly projectId: string;
  /** Such as `email_signups/abc`. */
  readonly path: string;
  /** As Firestore's REST API writes them. */
  readonly fields: unknown;
}

/** What Eventarc delivers when a document has been created: a CloudEvent in the structured JSON form. */
export function createdEvent({ projectId, path, fields }: CreatedDocument) {
  const time = new Date().toISOString();
  const name = `projects/${projectId}/databases/(default)/documents/${path}`;
  return {
    specversion: '1.0',
    id: randomUUID(),
    type: 'google.cloud.firestore.document.v1.created',
    source: `//firestore.googleapis.com/projects/${projectId}/databases/(default)`,
    subject: `documents/${path}`,
    time,
    datacontenttype: 'application/json',
    project: projectId,
    database: '(default)',
    namespace: '(default)',
    location: 'us-central1',
    document: path,
    data: { value: { name, fields, createTime: time, updateTime: time } },
  };
}
