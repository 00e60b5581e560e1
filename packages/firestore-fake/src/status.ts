/** Firestore's canonical error codes with their HTTP status and gRPC number. */
export const STATUS = {
  UNKNOWN: { http: 500, grpc: 2 },
  INVALID_ARGUMENT: { http: 400, grpc: 3 },
  DEADLINE_EXCEEDED: { http: 504, grpc: 4 },
  NOT_FOUND: { http: 404, grpc: 5 },
  ALREADY_EXISTS: { http: 409, grpc: 6 },
  PERMISSION_DENIED: { http: 403, grpc: 7 },
  RESOURCE_EXHAUSTED: { http: 429, grpc: 8 },
  FAILED_PRECONDITION: { http: 400, grpc: 9 },
  ABORTED: { http: 409, grpc: 10 },
  UNIMPLEMENTED: { http: 501, grpc: 12 },
  INTERNAL: { http: 500, grpc: 13 },
  UNAVAILABLE: { http: 503, grpc: 14 },
  UNAUTHENTICATED: { http: 401, grpc: 16 },
} as const;

export const STATUS_NAMES = [
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ABORTED',
  'ALREADY_EXISTS',
  'RESOURCE_EXHAUSTED',
  'INTERNAL',
  'UNIMPLEMENTED',
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
] as const;

export type StatusName = keyof typeof STATUS;

/** An error with its canonical code, independent of the protocol. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: StatusName;

  constructor(status: StatusName, message: string) {
    super(message);
    this.status = status;
  }
}

export function invalid(message: string): StatusError {
  return new StatusError('INVALID_ARGUMENT', message);
}

/** The error that a client gets. Unexpected errors become INTERNAL and keep their message. */
export function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return new StatusError('INTERNAL', error instanceof Error ? error.message : String(error));
}
