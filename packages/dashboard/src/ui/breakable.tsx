import type { ReactNode } from 'react';

/** An address, URL or path that wraps after `@` and `/` and before dots. Copies of it contain no spaces. */
export function Breakable({ children }: { readonly children: string }) {
  const [first, ...rest] = children.split(/(?<=[@/])(?!\/)|(?=\.)/);
  return rest.reduce<ReactNode>(
    (before, part) => (
      <>
        {before}
        <wbr />
        {part}
      </>
    ),
    first,
  );
}
