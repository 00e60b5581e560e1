import type { Metadata } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import 'early-access-kit/styles.css';

export const metadata: Metadata = { title: 'Early access in Next.js', icons: { icon: 'data:,' } };

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Each response needs a new nonce for its scripts, so no page can be prerendered.
  await connection();
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
