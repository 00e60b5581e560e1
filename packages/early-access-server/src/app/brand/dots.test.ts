import { expect, it } from 'vitest';
import { describeDot, drawLine, peoplePerDot } from './dots.ts';

it('a dot is one person, or the first of 2, 5, 10, 20, … with which there is room', () => {
  const most = (dots: number) => (people: number) => 240 / people <= dots;
  expect([240, 239, 100, 24, 3, 1].map((dots) => peoplePerDot(most(dots)))).toEqual([1, 2, 5, 10, 100, 500]);
  expect([1, 2, 5_000].map(describeDot)).toEqual([
    'One dot per person',
    'One dot per 2 people',
    'One dot per 5,000 people',
  ]);
});

it('a place in line has a dot for each person ahead, and the own one after them', () => {
  expect(drawLine(1)).toEqual({ viewBox: '0 0 200 10', ahead: '', own: 'M5 5h1', people: 1 });
  expect(drawLine(4)).toEqual({ viewBox: '0 0 200 10', ahead: 'M5 5h21', own: 'M35 5h1', people: 1 });
  expect(drawLine(21)).toEqual({ viewBox: '0 0 200 20', ahead: 'M5 5h191', own: 'M5 15h1', people: 1 });
  expect(drawLine(100)).toMatchObject({ viewBox: '0 0 200 50', own: 'M195 45h1', people: 1 });
});

it('nobody at a high place is lost in the crowd: there are never more than a hundred dots', () => {
  expect([100, 101, 1_204, 1_000_000].map((place) => drawLine(place).people)).toEqual([1, 2, 20, 20_000]);
  for (let place = 1; place < 5_000_000; place = Math.ceil(place * 1.3)) {
    const { ahead, people } = drawLine(place);
    const dots = [...ahead.matchAll(/h(\d+)/g)].reduce((sum, [, width]) => sum + (Number(width) - 1) / 10 + 1, 0);
    expect(dots).toBeLessThan(100);
    expect(Math.abs(dots * people - (place - 1))).toBeLessThan(people);
  }
});
