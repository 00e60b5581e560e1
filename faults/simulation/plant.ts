import { registerHooks } from 'node:module';
import { PLANTED_BUGS } from './planted-bugs.ts';

/**
 * Plants a bug into the files that are loaded from now on. Throws if there is none of this name. A file that does not contain the text to
 * replace exactly once cannot be loaded, so a bug never gets lost unnoticed. Call the returned function once everything is loaded.
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
      for (const patch of bug.patches) {
        if (!url.endsWith(`/early-access-server/src/${patch.file}`)) continue;
        const source = loaded.source ?? '';
        loaded.source = patched(typeof source === 'string' ? source : new TextDecoder().decode(source), patch);
        missing.delete(patch);
      }
      return loaded;
    },
  });
  return () => {
    for (const { file } of missing) throw new Error(`the planted bug "${name}" is in ${file}, which was not loaded`);
  };
}

export function patched(source: string, { file, find, replace }: (typeof PLANTED_BUGS)[number]['patches'][number]) {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`a planted bug replaces text that is ${times} times in ${file}: ${find}`);
  return source.replace(find, () => replace);
}
