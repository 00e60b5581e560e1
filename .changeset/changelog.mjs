/** Changelogs are for users: the text of each change as it was written, without the commit that it came with. */
export default {
  getReleaseLine: async ({ summary }) => `${summary}\n`,
  // All packages have one version, so that a new version of a dependency is no news.
  getDependencyReleaseLine: async () => '',
};
