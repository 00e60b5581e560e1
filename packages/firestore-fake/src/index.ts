export type { WireDocument } from './data/document.ts';
export type { MapFields, Value } from './data/value.ts';
export type { Calls } from './engine/calls.ts';
export type { FirestoreFake, FirestoreFakeOptions } from './firestore-fake.ts';
export { startFirestoreFake } from './firestore-fake.ts';
export type { Rules } from './rules/rules.ts';
export { parseRules } from './rules/rules.ts';
export type { Fault, Faults, FaultVerb } from './servers/faults.ts';
export type { StoreView } from './store-view.ts';
