import type { Point, Tab } from './engine.ts';

/** The middle of an element, and whether a click there hits the element. */
interface Found extends Point {
  readonly free: boolean;
}

/** Returns the first visible element that matches and contains the text, or null. Looks into open shadow roots too, as visitors do. */
export async function find(
  tab: Pick<Tab, 'evaluate'>,
  selector: string,
  text: string,
  { scroll = false } = {},
): Promise<Found | null> {
  const found = await tab.evaluate(findInPage, JSON.stringify({ selector, text, scroll }));
  return isFound(found) ? found : null;
}

function isFound(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && 'free' in value;
}

/** Runs in the page. */
function findInPage(question: string): Found | null {
  const { selector, text, scroll }: { selector: string; text: string; scroll: boolean } = JSON.parse(question);
  const within = (root: ParentNode): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? within(shadowRoot) : [])),
  ];
  const element = within(document).find(
    (candidate) => candidate.checkVisibility({ visibilityProperty: true }) && candidate.textContent.includes(text),
  );
  if (element === undefined) return null;
  if (scroll) element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) hit = hit.shadowRoot.elementFromPoint(x, y);
  return { x, y, free: hit !== null && (element.contains(hit) || hit.contains(element)) };
}
