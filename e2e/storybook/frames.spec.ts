import { expect, openStory, readAxeResult, test } from './catalogue.ts';

for (const id of ['emails-welcome--usual', 'emails-welcome--own-template-dark', 'server-pages-confirm--ask']) {
  test(`the accessibility panel looks inside the frame of ${id}`, async ({ page }) => {
    await openStory(page, id);
    const { passes, violations } = await readAxeResult(page);
    expect(violations).toEqual([]);
    // A target within a frame is a path of two selectors.
    const inFrame = passes
      .filter(({ nodes }) => nodes.some(({ target }) => target.length === 2))
      .map((rule) => rule.id);
    expect(inFrame).toEqual(expect.arrayContaining(['color-contrast', 'html-lang-valid']));
  });
}
