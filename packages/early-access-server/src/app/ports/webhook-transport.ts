export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResult =
  | { readonly delivered: true; readonly status: number }
  /** `reason` is for the admin and the log, so it contains no address or URL. `retryAfter` is the response header. */
  | { readonly delivered: false; readonly reason: string; readonly retryAfter?: string | undefined };

/** Posts to endpoints. */
export interface WebhookTransport {
  /** Never rejects. Any response other than 2xx means that it was not delivered. */
  post(request: WebhookRequest): Promise<PostResult>;
  /** Aborts requests in progress. */
  close(): void;
}
