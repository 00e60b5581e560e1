import type { Request, Response } from 'express';

/** A function as created by Firebase's libraries. */
type DeployedFunction = (...args: never[]) => unknown;

/** The exports of `main.ts`: functions, or objects of functions at any depth. */
export interface FunctionTree {
  readonly [name: string]: FunctionTree | DeployedFunction;
}

/** A function that handles requests, or one that handles events. */
export type LocalFunction =
  | { readonly kind: 'http'; readonly handle: (request: Request, response: Response) => unknown }
  | { readonly kind: 'event'; readonly take: (event: unknown) => unknown };

/** The functions by their Firebase names: the path to each export, joined by dashes. */
export function functionsByName(tree: FunctionTree, prefix = ''): ReadonlyMap<string, LocalFunction> {
  const entries = Object.entries(tree).flatMap(([key, node]): (readonly [string, LocalFunction])[] => {
    const name = prefix + key;
    return typeof node === 'function' ? [[name, toLocal(node)]] : [...functionsByName(node, `${name}-`)];
  });
  return new Map(entries);
}

function toLocal(deployed: DeployedFunction): LocalFunction {
  const endpoint: unknown = Reflect.get(deployed, '__endpoint');
  if (typeof endpoint !== 'object' || endpoint === null) throw new TypeError('not a function of Firebase');
  const call = (...args: readonly unknown[]) => Reflect.apply(deployed, undefined, args);
  return 'eventTrigger' in endpoint ? { kind: 'event', take: call } : { kind: 'http', handle: call };
}
