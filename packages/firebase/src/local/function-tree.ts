import type { Request, Response } from 'express';

/** A function as the libraries of Firebase make it. */
type DeployedFunction = (...args: never[]) => unknown;

/** Exports of `main.ts`: functions at any depth, or what else a module exports. */
export interface FunctionTree {
  readonly [name: string]: FunctionTree | DeployedFunction;
}

/** A function that answers requests, or one that takes events. */
export type LocalFunction =
  | { readonly kind: 'http'; readonly handle: (request: Request, response: Response) => unknown }
  | { readonly kind: 'event'; readonly take: (event: unknown) => unknown };

/** The functions by the names that Firebase gives them: the path to each, joined by dashes. */
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
