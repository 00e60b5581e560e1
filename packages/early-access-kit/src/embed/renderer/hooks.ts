import type { Instance } from './instance.ts';
import type { Component, Props } from './vnode.ts';

type Deps = readonly unknown[] | undefined;
type Dispatch<Action> = (action: Action) => void;
type Reduce<State, Action> = (before: State, action: Action) => State;
type Update<State> = State | ((before: State) => State);

let owner: Instance;
let calls = 0;
let lastId = 0;

/** Calls a component with its hooks bound to the instance. If it throws, the error is reported and it renders nothing; others continue. */
export function callComponent(instance: Instance, component: Component, props: Props): unknown {
  owner = instance;
  calls = 0;
  try {
    return component(props);
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

/** Returns the instance whose component is being called. */
export function currentOwner(): Instance {
  return owner;
}

/** Returns the state of this hook call across renders. Hooks are called in the same order each time. */
function cell<Kept extends object>(make: () => Kept): Kept;
function cell(make: () => object): object {
  const at = calls++;
  const kept = owner.cells[at] ?? make();
  owner.cells[at] = kept;
  return kept;
}

export function useReducer<State, Action>(
  reduce: Reduce<State, Action>,
  initial: State,
): readonly [State, Dispatch<Action>] {
  return useLazyReducer(reduce, () => initial);
}

export function useState<State>(initial: State | (() => State)): readonly [State, Dispatch<Update<State>>] {
  return useLazyReducer<State, Update<State>>(
    (before, update) => (isFunction(update) ? update(before) : update),
    () => (isFunction(initial) ? initial() : initial),
  );
}

/** Reduces immediately. React waits until the next render, with the same result. */
function useLazyReducer<State, Action>(
  reduce: Reduce<State, Action>,
  initial: () => State,
): readonly [State, Dispatch<Action>] {
  const kept = cell(() => {
    const instance = owner;
    const made = {
      reduce,
      state: initial(),
      dispatch(action: Action) {
        const next = made.reduce(made.state, action);
        if (Object.is(next, made.state)) return;
        made.state = next;
        instance.invalidate(instance);
      },
    };
    return made;
  });
  kept.reduce = reduce;
  return [kept.state, kept.dispatch];
}

function isFunction<Value>(value: unknown): value is (...given: never[]) => Value {
  return typeof value === 'function';
}

export function useMemo<Value>(make: () => Value, deps: Deps): Value {
  const kept = cell(() => ({ deps, value: make() }));
  if (haveChanged(kept.deps, deps)) {
    kept.value = make();
    kept.deps = deps;
  }
  return kept.value;
}

export function useCallback<Callback>(callback: Callback, deps: Deps): Callback {
  return useMemo(() => callback, deps);
}

export function useRef<Value>(initial: Value): { current: Value } {
  return cell(() => ({ current: initial }));
}

export function useId(): string {
  return cell(() => ({ id: `eak${++lastId}` })).id;
}

/** Nothing is rendered on a server, so there is one snapshot. The widgets' stores never change. */
export function useSyncExternalStore<Snapshot>(_subscribe: unknown, snapshot: () => Snapshot): Snapshot {
  return snapshot();
}

function haveChanged(before: Deps, after: Deps): boolean {
  return !before || !after || after.some((dep, at) => !Object.is(dep, before[at]));
}

type RunEffect = () => unknown;

/** An effect of a component that runs after rendering. */
export class Effect {
  readonly inLayout: boolean;
  #run: RunEffect | undefined;
  #deps: Deps;
  #undo: unknown;

  constructor(inLayout: boolean) {
    this.inLayout = inLayout;
  }

  /** Schedules the effect after this render if its dependencies have changed. */
  update(run: RunEffect, deps: Deps): void {
    if (haveChanged(this.#deps, deps)) this.#run = run;
    this.#deps = deps;
  }

  get isDue(): boolean {
    return this.#run !== undefined;
  }

  undo(): void {
    const undo = this.#undo;
    this.#undo = undefined;
    if (isFunction(undo)) reportingErrors(undo);
  }

  run(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run) {
      reportingErrors(() => {
        this.#undo = run();
      });
    }
  }
}

function reportingErrors(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    reportError(error);
  }
}

export function useEffect(run: RunEffect, deps?: Deps): void {
  cell(() => new Effect(false)).update(run, deps);
}

export function useLayoutEffect(run: RunEffect, deps?: Deps): void {
  cell(() => new Effect(true)).update(run, deps);
}
