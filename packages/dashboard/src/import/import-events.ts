import type { ImportEvent, ImportReport } from 'early-access-server/admin-api';

export type ImportProgress = Extract<ImportEvent, { type: 'progress' }>;

/**
 * Reads the events of an import as they arrive, one JSON object per line. Rejects if the server could not continue or
 * the response ends early.
 */
export async function readImportEvents(
  response: Response,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event: ImportEvent = JSON.parse(line);
      if (event.type === 'done') return event.report;
      if (event.type === 'failed') throw new Error(event.message);
      onProgress(event);
    }
  }
  throw new Error('The connection to the server was lost.');
}
