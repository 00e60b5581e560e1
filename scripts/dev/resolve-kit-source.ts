import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { KIT_SOURCE } from './kit-source.ts';

/** Loaded with `node --import`, makes a process import the source of the package instead of its build. */
registerHooks({
  resolve(specifier, context, next) {
    const alias = KIT_SOURCE.find(({ find }) => find.test(specifier));
    if (alias === undefined) return next(specifier, context);
    return next(pathToFileURL(specifier.replace(alias.find, alias.replacement)).href, context);
  },
});
