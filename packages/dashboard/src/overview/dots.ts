import { peoplePerDot } from 'early-access-server/admin-api';

/** The size of one bucket in a dot chart, in pixels, and the number of people at its top. */
export interface DotRoom {
  readonly width: number;
  readonly height: number;
  readonly highest: number;
}

/** How a bucket's people are stacked as dots, row by row. */
export interface DotLayout {
  /** People per dot. */
  readonly people: number;
  readonly perRow: number;
  /** Distance between row centers, in pixels, so that a stack's height matches its number on the axis. */
  readonly rise: number;
  /** Distance between the centers of dots in a row, in pixels. */
  readonly pitch: number;
}

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The minimum distance in pixels at which dots can be distinguished. */
const LEAST_PITCH = 5;
const LARGEST_PITCH = 11;
/** Diameter of a dot as a share of the pitch. The rest is background. */
const INK = 0.82;

export function layOutDots({ width, height, highest }: DotRoom): DotLayout {
  const layOut = (people: number) => {
    const perRow = Math.max(1, Math.floor(Math.sqrt((width * highest) / (people * height))));
    return { perRow, rise: (perRow * people * height) / highest };
  };
  const people = peoplePerDot((step) => layOut(step).rise >= Math.min(LEAST_PITCH, width));
  const { perRow, rise } = layOut(people);
  return { people, perRow, rise, pitch: Math.min(rise, width, LARGEST_PITCH) };
}

/** Returns dots for a number of people, centered on the bottom of their bucket. The last dot may be partial. */
export function stackDots(count: number, { people, perRow, rise, pitch }: DotLayout): readonly Dot[] {
  const whole = count / people;
  const total = Math.ceil(whole);
  return Array.from({ length: total }, (_, index) => {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, total - row * perRow);
    const share = Math.min(1, whole - index);
    return {
      x: ((index % perRow) - (inRow - 1) / 2) * pitch,
      y: -(row + 0.5) * rise,
      radius: (pitch * INK * Math.sqrt(share)) / 2,
    };
  });
}
