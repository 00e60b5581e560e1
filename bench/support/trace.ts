/** The cost of scripts on a page's main thread. */
export interface Cost {
  /**
   * Processor time of the thread, without waiting: from evaluating the scripts, including compilation on this thread,
   * to the last listener when the page is left, including the browser's work for the scripts (requests, storage, forced
   * layouts). Tracing itself adds some 10 µs per call.
   */
  readonly ms: number;
  /** How often scripts forced the browser to compute styles or layout. */
  readonly forcedLayouts: number;
  /** Milliseconds by caller of the scripts: an event's type, `start`, `timer` or `frame`. */
  readonly profile: ReadonlyMap<string, number>;
}

/** An event of Chromium's trace. Times are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The part of `dur` in which the thread had a processor, which other programs do not affect. */
  readonly tdur?: number;
  readonly args: { readonly data?: TraceData };
}

interface TraceData {
  readonly url?: string;
  readonly type?: string;
  /** Only for event timings; 0 if the event is not an interaction. */
  readonly interactionId?: number;
  /** Only for event timings: milliseconds until the event's frame was on the screen. */
  readonly duration?: number;
}

/** Parses the result of `stopTracing`. */
export function parseTrace(trace: Buffer): readonly TraceEvent[] {
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString());
  return traceEvents;
}

const LAYS_OUT = new Set(['UpdateLayoutTree', 'Layout']);

/** Sums the costs of scripts whose URL ends like this, and of continued promises, because no other scripts run. */
export function sumCosts(events: readonly TraceEvent[], scripts: readonly string[]): Cost {
  const belongsToScripts = ({ args }: TraceEvent) => scripts.some((script) => args.data?.url?.endsWith(script));
  const [known] = events.filter((event) => event.name === 'EvaluateScript' && belongsToScripts(event));
  if (known === undefined) throw new Error('the trace knows nothing of the tracker');
  const thread = events.filter(({ pid, tid, dur }) => pid === known.pid && tid === known.tid && dur !== undefined);
  const spans = outermost(thread.filter((event) => belongsToScripts(event) || event.name === 'RunMicrotasks'));
  const forced = thread.filter((event) => LAYS_OUT.has(event.name) && spans.some((span) => within(event, span)));
  const callers = thread.filter(({ name }) => name === 'EventDispatch' || name === 'TimerFire');
  const profile = new Map<string, number>();
  for (const span of spans) {
    const cause = findCause(span, callers);
    profile.set(cause, (profile.get(cause) ?? 0) + getMilliseconds(span));
  }
  return {
    ms: spans.reduce((sum, span) => sum + getMilliseconds(span), 0),
    forcedLayouts: forced.length,
    profile,
  };
}

/** The main thread's work from an event to the next frame on the screen. Times are in milliseconds. */
export interface Interaction {
  readonly type: string;
  readonly ms: number;
  /** The times by kind of work, longest first. */
  readonly parts: readonly { readonly of: string; readonly ms: number }[];
}

/**
 * Kinds of work by the trace's names. Other names count as the work that contains them: the browser's own handling of
 * an event, such as inserting a typed letter, counts as event handling.
 */
const KINDS: Readonly<Record<string, string>> = {
  FunctionCall: 'listeners',
  RunMicrotasks: 'listeners',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
  HitTest: 'finding what was hit',
  RunTask: 'handling by the browser',
};

/** Returns the slowest interaction of a trace with tasks. Nested work counts only as its own kind. */
export function findSlowestInteraction(events: readonly TraceEvent[]): Interaction {
  const [slowest] = events
    .filter(({ args }) => args.data?.interactionId)
    .sort((a, b) => (b.args.data?.duration ?? 0) - (a.args.data?.duration ?? 0));
  const { type, duration: ms } = slowest?.args.data ?? {};
  if (slowest === undefined || type === undefined || ms === undefined)
    throw new Error('the trace knows no interaction');
  const whole = { ...slowest, dur: ms * 1_000 };
  const work = events.filter((event) => event.tid === slowest.tid && event.pid === slowest.pid && event.name in KINDS);
  const parts = new Map<string, number>();
  for (const event of work.filter((event) => within(event, whole))) {
    const inside = outermost(work.filter((other) => within(other, event)));
    const own = (event.dur ?? 0) - inside.reduce((sum, { dur = 0 }) => sum + dur, 0);
    const kind = KINDS[event.name] ?? '';
    parts.set(kind, (parts.get(kind) ?? 0) + own / 1_000);
  }
  parts.set('waiting for frames', ms - [...parts.values()].reduce((sum, part) => sum + part, 0));
  return { type, ms, parts: [...parts].map(([of, ms]) => ({ of, ms })).sort((a, b) => b.ms - a.ms) };
}

function getMilliseconds({ dur = 0, tdur = dur }: TraceEvent): number {
  return tdur / 1_000;
}

/** A call without an event or timer runs after the layout of a frame. */
function findCause(span: TraceEvent, callers: readonly TraceEvent[]): string {
  if (span.name === 'EvaluateScript') return 'start';
  const caller = callers.findLast((event) => within(span, event));
  return caller === undefined ? 'frame' : (caller.args.data?.type ?? 'timer');
}

/** Returns the events that are not nested in other events. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  const spans: TraceEvent[] = [];
  for (const event of [...events].sort((a, b) => a.ts - b.ts || getEnd(b) - getEnd(a))) {
    const last = spans.at(-1);
    if (last === undefined || event.ts >= getEnd(last)) spans.push(event);
  }
  return spans;
}

function within(event: TraceEvent, span: TraceEvent): boolean {
  return event !== span && event.ts >= span.ts && getEnd(event) <= getEnd(span);
}

function getEnd({ ts, dur = 0 }: TraceEvent): number {
  return ts + dur;
}
