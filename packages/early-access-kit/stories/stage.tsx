import type { ReactNode } from 'react';
import './stage.css';

/** A page with a widget in its center. */
export function Stage({ children }: { children: ReactNode }) {
  return <main className="stage">{children}</main>;
}
