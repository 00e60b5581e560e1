export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResult =
  | { readonly delivered: true; readonly status: number }
  /**
   * `reason` is for the admin and the log: it contains no address of a person and no URL. `retryAfter`: the header of
   * the response.
   */
  | { readonly delivered: false; readonly reason: string; readonly retryAfter?: string | undefined };

/** Posts to endpoints. */
export interface WebhookTransport {
  /** Never rejects. Any response but 2xx means that it was not delivered. */
  post(request: WebhookRequest): Promise<PostResult>;
  /** Cuts off what is in progress. */
  close(): void;
}
