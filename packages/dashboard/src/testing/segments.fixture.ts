import type { Person, SavedSegment, Segment } from 'early-access-server/admin-api';
import { readSegment } from 'early-access-server/admin-pages';

const SAVED_SEGMENTS: readonly SavedSegment[] = [
  { id: 'bounced', name: 'Bounced', conditions: { states: ['bounced'] } },
  { id: 'german', name: 'German newsletter readers', conditions: { campaign: 'launch-week', language: 'de' } },
  { id: 'late', name: 'Invited, but not joined', conditions: { invited_days_ago: 14 } },
];

/** The part of the fake server that saves segments. */
export function fakeSegments({ isEmpty = false }) {
  let segments = isEmpty ? [] : SAVED_SEGMENTS;
  return {
    respond(name: string, body: Record<string, unknown>): Response | null {
      if (name === 'GET /admin/segments') return Response.json({ segments });
      const [path, id, action = ''] = /^POST \/admin\/segments(?:\/(\w+))?(?:\/(remove))?$/.exec(name) ?? [];
      if (path === undefined) return null;
      const named = String(body.name);
      if (action === '' && segments.some((segment) => segment.name === named && segment.id !== id)) {
        const error = { code: 'invalid', message: 'Another segment has this name.' };
        return Response.json({ error }, { status: 409 });
      }
      if (id === undefined) {
        const added = { id: `added${segments.length}`, name: named, conditions: readSegment(body.conditions) };
        segments = [...segments, added];
        return Response.json(added);
      }
      segments =
        action === 'remove'
          ? segments.filter((segment) => segment.id !== id)
          : segments.map((segment) => (segment.id === id ? { ...segment, name: named } : segment));
      return new Response(null, { status: 204 });
    },
  };
}

/** Every fifth person is from the first import. */
export function isOfImport(person: Person): boolean {
  return Number(person.id.split('-')[1]) % 5 === 0;
}

/** Returns whether a person matches a segment. Every third person speaks German, and nobody got a campaign. */
export function isInSegment(person: Person, segment: Segment): boolean {
  const { states, source, campaign, import: file, language, fields = {}, invited_days_ago, with_campaign } = segment;
  return (
    (states?.includes(person.state) ?? true) &&
    (source ?? person.source) === person.source &&
    (campaign ?? person.utm_campaign) === person.utm_campaign &&
    (file === undefined || isOfImport(person)) &&
    (language === undefined || (language === 'de' && Number(person.id.split('-')[1]) % 3 === 0)) &&
    Object.entries(fields).every(([name, value]) =>
      value === true ? person.fields?.[name] !== undefined : person.fields?.[name] === value,
    ) &&
    (segment.texts ?? []).every(({ of, test, values }) => {
      const text = of === 'source' ? person.source : String(person.fields?.[of.slice('fields.'.length)] ?? '');
      const has = test === 'part' ? values.some((value) => text.includes(value)) : values.includes(text);
      return has !== (test === 'none');
    }) &&
    (invited_days_ago === undefined || person.state === 'invited') &&
    with_campaign === undefined
  );
}
