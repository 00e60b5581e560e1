import { expect, it } from 'vitest';
import { storedFields } from './stored-fields.ts';

it.each([
  [
    { role: 'artist', news: true, zip: '' },
    { role: 'artist', news: true, zip: '' },
  ],
  [{ role: 'artist', news: false, age: 7, list: ['x'], nothing: null }, { role: 'artist' }],
  [{ news: false }, undefined],
  [{}, undefined],
  [null, undefined],
  [undefined, undefined],
  ['text', undefined],
])('of the stored values %j, %j are values of fields', (stored, fields) => {
  expect(storedFields(stored)).toEqual(fields);
});
