import { DAY_MS } from 'early-access-kit/internal';
import type { ListStatusResponse } from 'early-access-server/admin-api';
import { Clock, DoorClosed } from 'lucide-react';
import { Link } from 'wouter';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatDateTime } from '../format/format.ts';
import { Announced, Notice } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';

const SOON_MS = 7 * DAY_MS;
const MAX_LETTERS = 100;

/**
 * Shows the message that visitors see instead of the form, or when it will appear. Nothing while the list stays open.
 */
export function SignUpsNotice({ zone }: { readonly zone: string }) {
  const { data } = useRead<ListStatusResponse>(['list-status'], '/list-status');
  const text = data && describe(data, zone);
  return (
    <Announced>
      {text && (
        <Notice
          icon={data.closed === null ? Clock : DoorClosed}
          look="warning"
          action={
            <Link to="?page=settings" className={ui.button}>
              Change signups
            </Link>
          }
        >
          {text}
        </Notice>
      )}
    </Announced>
  );
}

function describe({ status, closed }: ListStatusResponse, zone: string): string | null {
  const { closes_at, max_people } = status;
  if (closed === null) {
    if (closes_at === null || closes_at - Date.now() > SOON_MS) return null;
    return `Signups close on ${formatDateTime(closes_at, zone)}. Until then, visitors see the form.`;
  }
  const state =
    closed === 'full' ? `All ${formatCount(max_people ?? 0, 'place', 'places')} are taken` : `Signups are ${closed}`;
  return `${state}. Visitors see ${describeText(status)}.`;
}

function describeText({ message, link_url, link_text, takes_requests }: ListStatusResponse['status']): string {
  const text = message === null ? 'the built-in text in their language' : `“${shorten(message)}”`;
  const rest = [
    link_url !== null && `a link to “${link_text ?? new URL(link_url).host}”`,
    takes_requests && 'a form to be notified when it opens',
  ].filter(Boolean);
  return [text, ...rest].join(rest.length > 1 ? ', ' : ' and ');
}

/** The notice has one or two lines, but the message may be a paragraph. */
function shorten(message: string): string {
  const letters = [...message];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS).join('').trimEnd()}…` : message;
}
