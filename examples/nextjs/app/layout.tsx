import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import 'early-access-kit/styles.css';

export const metadata: Metadata = { title: 'Early access in Next.js', icons: { icon: 'data:,' } };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
