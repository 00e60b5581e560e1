import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  type Audience,
  type Campaign,
  type CampaignContent,
  type CampaignStore,
  mayChangeCampaign,
} from '../../../app/list/campaign-store.ts';
import { nextStep, toCampaign } from '../../sql/campaign-row.ts';
import { integer, type Row, rowIdOf, text, textOrNull } from '../../sql/row.ts';

/** People that one transaction goes through. */
const STEP = 10_000;

const AUDIENCE = 'state IN (SELECT value FROM json_each(?)) AND (? IS NULL OR source = ?)';
/** Without indexes, so that people are read in the order of their ids. */
const AUDIENCE_IN_ORDER = AUDIENCE.replace('state', '+state').replace('source =', '+source =');

const QUEUED = "mails WHERE campaign_id = campaigns.id AND state = 'queued'";

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
  const sending = db.prepare(`
    SELECT *, (SELECT count(*) FROM ${QUEUED}) AS queued, (SELECT count(*) FROM ${QUEUED} AND attempts = 0) AS waiting
    FROM campaigns WHERE state = 'sending' ORDER BY id
  `);
  const next = db.prepare(`
    SELECT id FROM email_signups WHERE id > ? AND id <= ? AND +created_at <= ? AND ${AUDIENCE_IN_ORDER} ORDER BY id LIMIT ?
  `);
  const queue = db.prepare(`
    INSERT INTO mails (signup_id, kind, campaign_id, message_key, next_attempt_at, changed_at) VALUES (?, 'campaign', ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
  `);
  const setPosition = db.prepare('UPDATE campaigns SET position = ? WHERE id = ?');

  const audienceSize = ({ states, source }: Audience) =>
    integer(size.get(JSON.stringify(states), source, source), 'people');

  /** Queues at most so many messages to the next people. Returns how many people it went through. */
  function queueNext(row: Row, room: number, now: number): number {
    const [id, position, last] = [integer(row, 'id'), integer(row, 'position'), integer(row, 'last_id')];
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
      const row = find.get(rowIdOf(id));
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
      save.run(subject, body, JSON.stringify(audience.states), audience.source, rowIdOf(id)).changes === 1,
    remove: (id: string): boolean => remove.run(rowIdOf(id)).changes === 1,
    change(id: string, to: Parameters<CampaignStore['change']>[1], now: number): boolean {
      const campaign = this.find(id);
      if (campaign === null || !mayChangeCampaign(campaign.state, to)) return false;
      if (campaign.state === 'draft' && to === 'sending') begin.run(now, audienceSize(campaign.audience), rowIdOf(id));
      else setState.run(to, rowIdOf(id));
      if (to === 'cancelled') removeQueued.run(rowIdOf(id));
      return true;
    },
    /** Whether `feed` has something to do. */
    hasWork: (): boolean => sending.all().some((row) => nextStep(row) !== 'wait'),
    feed(now: number): number {
      let fed = 0;
      for (const row of sending.all()) {
        const step = nextStep(row);
        if (step === 'end') setState.run('done', integer(row, 'id'));
        else if (step !== 'wait') fed += queueNext(row, step, now);
      }
      return fed;
    },
  };
}
