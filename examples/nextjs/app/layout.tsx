import type { Metadata } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import 'early-access-kit/styles.css';

export const metadata: Metadata = { title: 'Early access in Next.js', icons: { icon: 'data:,' } };

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The scripts of a page carry a new nonce at each request, so no page can be rendered ahead of it.
  await connection();
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
