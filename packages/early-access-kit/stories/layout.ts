import { expect } from 'storybook/test';

/** Expects no horizontal overflow, so that there is no scrolling in two directions (WCAG 1.4.10). */
export async function expectNoSidewaysScroll(): Promise<void> {
  const { clientWidth, scrollWidth } = document.documentElement;
  await expect(scrollWidth).toBe(clientWidth);
  const beyond = [...document.querySelectorAll('[class^="eak-"]')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < 0 || right > clientWidth);
  });
  await expect(beyond.map((element) => element.className)).toEqual([]);
}
