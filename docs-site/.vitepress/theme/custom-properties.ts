/** Returns the custom properties that a theme's stylesheet sets. */
export function themeValues(css: string): Record<string, string> {
  const found = css.matchAll(/(--eak-[\w-]+):\s*([^;]+);/g);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ').trim()]),
  );
}

/** Returns a color as #rrggbb, as computed for a child of the given element. */
export function asHex(declared: string, parent: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = declared;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (context === null) return '#000000';
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
