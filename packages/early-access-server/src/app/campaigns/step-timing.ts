import type { PersonState } from '../lifecycle/states.ts';

/** The states that an email of the series can follow. `subscribed`: signed up, and confirmed if confirmation is on. */
export const SERIES_STATES = ['subscribed', 'invited', 'joined'] as const satisfies readonly PersonState[];
export type SeriesState = (typeof SERIES_STATES)[number];

/** When a person gets an email of the series: some days after they reach a state or get another email of the series. */
export interface StepTiming {
  /** Null: it follows `previous`, the id of another email of the series. */
  readonly after: SeriesState | null;
  readonly previous: string | null;
  readonly days: number;
}
