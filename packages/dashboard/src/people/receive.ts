const LINE_FEED = 10;
const REPORT_MS = 100;

/**
 * Reads a CSV as it arrives and reports the number of rows. The bytes are stored in blobs, which the browser may move
 * to disk, so that a large list does not fill the memory. Rejects if the response ends early.
 */
export async function receive(response: Response, onRows: (rows: number) => void): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let lines = 0;
  let reported = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
    if (bytes > 1_000_000) {
      parts.push(new Blob(chunks));
      chunks = [];
      bytes = 0;
    }
    if (performance.now() - reported > REPORT_MS) {
      reported = performance.now();
      // Not counting the header.
      onRows(Math.max(0, lines - 1));
    }
  }
  return [...parts, ...chunks];
}
