import { PageHead } from '../ui/card.tsx';

export function SettingsPage() {
  return <PageHead title="Settings" />;
}
