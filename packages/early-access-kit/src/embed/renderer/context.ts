import { currentOwner } from './hooks.ts';

/** A value for everything below its provider. A provider always re-renders everything below it, so there are no subscriptions. */
export interface Context<Value> {
  readonly Provider: (props: { readonly value: Value; readonly children?: unknown }) => unknown;
  /** Returns the value for the component that is being called. */
  read(): Value;
}

export function createContext<Value>(fallback: Value): Context<Value> {
  class Provided {
    readonly value: Value;
    constructor(value: Value) {
      this.value = value;
    }
  }
  return {
    Provider({ value, children }) {
      currentOwner().provided = new Provided(value);
      return children;
    },
    read() {
      let from = currentOwner().parent;
      while (from && !(from.provided instanceof Provided)) from = from.parent;
      return from?.provided instanceof Provided ? from.provided.value : fallback;
    },
  };
}

export function useContext<Value>(context: Context<Value>): Value {
  return context.read();
}
