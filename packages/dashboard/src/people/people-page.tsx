import { PageHead } from '../ui/card.tsx';

export function PeoplePage() {
  return <PageHead title="People" />;
}
