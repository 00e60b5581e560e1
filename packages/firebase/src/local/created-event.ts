import { randomUUID } from 'node:crypto';

export interface CreatedDocument {
  readonly projectId: string;
  /** For example `email_signups/abc`. */
  readonly path: string;
  /** In the format of Firestore's REST API. */
  readonly fields: unknown;
}

/** The event that Eventarc delivers when a document is created: a CloudEvent in structured JSON. */
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
