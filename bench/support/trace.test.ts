import { expect, test } from 'vitest';
import { findSlowestInteraction, type TraceEvent } from './trace.ts';

const event = (name: string, ts: number, dur: number, data = {}): TraceEvent => ({
  name,
  pid: 1,
  tid: 1,
  ts: ts * 1_000,
  dur: dur * 1_000,
  args: { data },
});

const interaction = (type: string, ts: number, duration: number, interactionId = 1) =>
  event('EventTiming', ts, 0, { type, duration, interactionId });

test('the slowest interaction is divided into the kinds of work of its thread', () => {
  const trace = [
    interaction('pointerover', 0, 90, 0),
    interaction('keydown', 200, 16),
    interaction('pointerdown', 0, 40),
    event('RunTask', 2, 20),
    event('EventDispatch', 3, 10),
    event('FunctionCall', 4, 6),
    event('UpdateLayoutTree', 5, 4),
    event('Paint', 15, 3),
    { ...event('RunTask', 2, 20), tid: 2 },
    event('RunTask', 50, 20),
  ];
  expect(findSlowestInteraction(trace)).toEqual({
    type: 'pointerdown',
    ms: 40,
    parts: [
      { of: 'waiting for frames', ms: 20 },
      { of: 'handling by the browser', ms: 11 },
      { of: 'style', ms: 4 },
      { of: 'paint', ms: 3 },
      { of: 'listeners', ms: 2 },
    ],
  });
});

test('a trace without an interaction is an error', () => {
  expect(() => findSlowestInteraction([interaction('pointerover', 0, 90, 0)])).toThrow(
    'the trace knows no interaction',
  );
});
