import { request } from 'node:http';
import { launch } from 'chrome-launcher';
import lighthouse, { type Flags } from 'lighthouse';

/** The results of Lighthouse's mobile profile, which simulates a slow phone on a slow network. */
export interface PageFigures {
  /** 0 to 100. */
  readonly performance: number;
  readonly lcpMs: number;
  readonly tbtMs: number;
  readonly cls: number;
  /** The time of the paint on this machine, without the simulated slowdown. */
  readonly observedLcpMs: number;
  readonly scriptBytes: number;
  readonly totalBytes: number;
  readonly interactiveMs: number;
  /** Tasks that block for more than 50 ms, longest first, by the work that contains them. */
  readonly longTasks: readonly { readonly of: string; readonly ms: number }[];
}

export async function measurePage(
  url: string,
  settings: Pick<Flags, 'extraHeaders' | 'throttling'> = {},
): Promise<PageFigures> {
  const chrome = await launch({
    chromePath: process.env.CHROME_PATH ?? '',
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    logLevel: 'silent',
  });
  try {
    const run = await lighthouse(url, {
      port: chrome.port,
      onlyCategories: ['performance'],
      logLevel: 'silent',
      ...settings,
    });
    if (run === undefined) throw new Error('Lighthouse gave no answer');
    const { audits, categories } = run.lhr;
    const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
    const items = (audit: string): readonly Readonly<Record<string, unknown>>[] => {
      const details = audits[audit]?.details;
      return details?.type === 'debugdata' || details?.type === 'table' ? details.items : [];
    };
    return {
      performance: Math.round((categories.performance?.score ?? Number.NaN) * 100),
      lcpMs: value('largest-contentful-paint'),
      tbtMs: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      observedLcpMs: Number(items('metrics')[0]?.observedLargestContentfulPaint),
      scriptBytes: items('network-requests')
        .filter(({ resourceType }) => resourceType === 'Script')
        .reduce((sum, { transferSize }) => sum + Number(transferSize), 0),
      totalBytes: value('total-byte-weight'),
      interactiveMs: value('interactive'),
      longTasks: items('long-tasks').map(({ url: taskUrl, duration }) => ({
        of: nameResource(String(taskUrl), url),
        ms: Number(duration),
      })),
    };
  } finally {
    chrome.kill();
  }
}

function nameResource(url: string, page: string): string {
  if (url === page) return 'the document';
  return URL.parse(url)?.pathname.split('/').at(-1) ?? 'the browser';
}

/** Returns the bytes of the page's response including headers, which should fit into the first round trip. */
export function bytesOfDocument(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers: { 'accept-encoding': 'br, gzip', accept: 'text/html' } }, (answer) => {
      const { socket } = answer;
      answer.resume().once('end', () => resolve(socket.bytesRead));
    })
      .once('error', reject)
      .end();
  });
}
