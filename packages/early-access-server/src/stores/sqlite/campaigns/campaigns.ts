import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  type Audience,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  type CampaignStore,
  campaignRoom,
  mayChangeCampaign,
} from '../../../app/list/campaign-store.ts';
import { PERSON_STATES } from '../../../app/list/states.ts';
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from '../../sql/row.ts';

/** People that one transaction goes through. */
const STEP = 10_000;

const AUDIENCE = 'state IN (SELECT value FROM json_each(?)) AND (? IS NULL OR source = ?)';
/** Without indexes, so that people are read in the order of their ids. */
const AUDIENCE_IN_ORDER = AUDIENCE.replace('state', '+state').replace('source =', '+source =');

/** Statements on `campaigns`. Each writing function is one member of a transaction. */
export function campaignTable(db: DatabaseSync) {
  const list = db.prepare('SELECT * FROM campaigns ORDER BY id DESC');
  const find = db.prepare('SELECT * FROM campaigns WHERE id = ?');
  const size = db.prepare(`SELECT count(*) AS people FROM email_signups WHERE ${AUDIENCE}`);
  const insert = db.prepare('INSERT INTO campaigns (subject, body, states, source, created_at) VALUES (?, ?, ?, ?, ?)');
  const save = db.prepare(
    "UPDATE campaigns SET subject = ?, body = ?, states = ?, source = ? WHERE id = ? AND state = 'draft'",
  );
  const remove = db.prepare("DELETE FROM campaigns WHERE id = ? AND state = 'draft'");
  const begin = db.prepare(`
    UPDATE campaigns SET state = 'sending', started_at = ?, people = ?, last_id = (SELECT coalesce(max(id), 0) FROM email_signups)
    WHERE id = ?
  `);
  const setState = db.prepare('UPDATE campaigns SET state = ? WHERE id = ?');
  const removeQueued = db.prepare("DELETE FROM mails WHERE campaign_id = ? AND state = 'queued'");
  const sending = db.prepare("SELECT * FROM campaigns WHERE state = 'sending' ORDER BY id");
  const queued = db.prepare(`
    SELECT count(*) AS queued, coalesce(sum(attempts = 0), 0) AS waiting FROM mails WHERE campaign_id = ? AND state = 'queued'
  `);
  const next = db.prepare(`
    SELECT id FROM email_signups WHERE id > ? AND id <= ? AND +created_at <= ? AND ${AUDIENCE_IN_ORDER} ORDER BY id LIMIT ?
  `);
  const queue = db.prepare(`
    INSERT INTO mails (signup_id, kind, campaign_id, message_key, next_attempt_at, changed_at) VALUES (?, 'campaign', ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
  `);
  const setPosition = db.prepare('UPDATE campaigns SET position = ? WHERE id = ?');

  const idOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0);
  const audienceSize = ({ states, source }: Audience) =>
    integer(size.get(JSON.stringify(states), source, source), 'people');

  /** How many messages may be queued now. */
  function roomOf(row: Row): number {
    const counts = queued.get(integer(row, 'id'));
    return campaignRoom({ queued: integer(counts, 'queued'), waiting: integer(counts, 'waiting') });
  }

  /** Queues the next messages of a campaign, or ends it. Returns how many people it went through. */
  function feedOne(row: Row, now: number): number {
    const [id, position, last] = [integer(row, 'id'), integer(row, 'position'), integer(row, 'last_id')];
    if (position >= last) {
      if (integer(row, 'pending') === 0) setState.run('done', id);
      return 0;
    }
    const room = roomOf(row);
    if (room === 0) return 0;
    const end = Math.min(last, position + STEP);
    const source = textOrNull(row, 'source');
    // Nobody who signed up later, even if the id of an erased person was given again.
    const people = next.all(position, end, integer(row, 'started_at'), text(row, 'states'), source, source, room);
    for (const person of people) queue.run(integer(person, 'id'), id, randomUUID(), now, now);
    const reached = people.length < room ? end : integer(people.at(-1), 'id');
    setPosition.run(reached, id);
    return reached - position;
  }

  return {
    list: (): readonly Campaign[] => list.all().map(toCampaign),
    find(id: string): Campaign | null {
      const row = find.get(idOf(id));
      return row === undefined ? null : toCampaign(row);
    },
    audienceSize,
    create({ subject, body, audience }: CampaignContent, now: number): Campaign {
      const states = JSON.stringify(audience.states);
      const { lastInsertRowid } = insert.run(subject, body, states, audience.source, now);
      const row = find.get(lastInsertRowid);
      if (row === undefined) throw new TypeError('the campaign was not stored');
      return toCampaign(row);
    },
    save: (id: string, { subject, body, audience }: CampaignContent): boolean =>
      save.run(subject, body, JSON.stringify(audience.states), audience.source, idOf(id)).changes === 1,
    remove: (id: string): boolean => remove.run(idOf(id)).changes === 1,
    change(id: string, to: Parameters<CampaignStore['change']>[1], now: number): boolean {
      const campaign = this.find(id);
      if (campaign === null || !mayChangeCampaign(campaign.state, to)) return false;
      if (campaign.state === 'draft' && to === 'sending') begin.run(now, audienceSize(campaign.audience), idOf(id));
      else setState.run(to, idOf(id));
      if (to === 'cancelled') removeQueued.run(idOf(id));
      return true;
    },
    /** Whether `feed` has something to do. */
    hasWork: (): boolean =>
      sending
        .all()
        .some((row) =>
          integer(row, 'position') < integer(row, 'last_id') ? roomOf(row) > 0 : integer(row, 'pending') === 0,
        ),
    feed(now: number): number {
      let fed = 0;
      for (const row of sending.all()) fed += feedOne(row, now);
      return fed;
    },
  };
}

function toCampaign(row: Row): Campaign {
  const states: readonly unknown[] = JSON.parse(text(row, 'states'));
  return {
    id: String(integer(row, 'id')),
    subject: text(row, 'subject'),
    body: text(row, 'body'),
    audience: { states: PERSON_STATES.filter((state) => states.includes(state)), source: textOrNull(row, 'source') },
    state: oneOf(row, 'state', CAMPAIGN_STATES),
    created_at: integer(row, 'created_at'),
    started_at: integerOrNull(row, 'started_at'),
    people: integer(row, 'people'),
    sent: integer(row, 'sent'),
    failed: integer(row, 'failed'),
    unknown: integer(row, 'unknown'),
  };
}
