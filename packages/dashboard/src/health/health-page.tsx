import { PageHead } from '../ui/card.tsx';

export function HealthPage() {
  return <PageHead title="Health" />;
}
