export type { WireDocument } from './data/document.ts';
export type { MapFields, Value } from './data/value.ts';
export type { Calls } from './engine/calls.ts';
export type { Fault, Faults, FaultVerb } from './fronts/faults.ts';
export type { Rules } from './rules/rules.ts';
export { parseRules } from './rules/rules.ts';
export type { Standin, StandinOptions } from './standin.ts';
export { startStandin } from './standin.ts';
export type { StoreView } from './store-view.ts';
