import { registerHooks } from 'node:module';
import { PLANTED_BUGS } from './planted-bugs.ts';

/**
 * Plants a bug into the files that are loaded from now on. Throws if the name is unknown. A file that contains the text
 * more than once cannot be loaded. Call the returned function once everything is loaded: it throws if the text was not
 * found.
 */
export function plant(name: string): () => void {
  const bug = PLANTED_BUGS.find((candidate) => candidate.name === name);
  if (bug === undefined) {
    throw new Error(`no bug is called "${name}"; there are: ${PLANTED_BUGS.map((each) => each.name).join(', ')}`);
  }
  const missing = new Set(bug.patches);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.includes('/early-access-server/src/') || !loaded.source) return loaded;
      let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      for (const patch of bug.patches) {
        if (!source.includes(patch.find)) continue;
        source = patched(source, patch);
        missing.delete(patch);
      }
      return { ...loaded, source };
    },
  });
  return () => {
    for (const { find } of missing)
      throw new Error(`the planted bug "${name}" replaces text that was not loaded: ${find}`);
  };
}

export function patched(source: string, { find, replace }: (typeof PLANTED_BUGS)[number]['patches'][number]) {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`a planted bug replaces text that is there ${times} times: ${find}`);
  return source.replace(find, () => replace);
}
