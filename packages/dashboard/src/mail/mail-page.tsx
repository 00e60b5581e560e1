import { PageHead } from '../ui/card.tsx';

export function MailPage() {
  return <PageHead title="Mail" />;
}
