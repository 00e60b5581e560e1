import { THEN_RESTART } from '../ui/setting-texts.ts';
import { Notice } from '../ui/states.tsx';

export function NotSetUp() {
  return (
    <Notice look="warning">
      Invitations are not set up. Set INVITE_URL, INVITE_KEY and a mail server. {THEN_RESTART}
    </Notice>
  );
}
