import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../fixtures/temp-folder.ts';
import { openDatabase } from './database.ts';

describe('openDatabase', () => {
  it('opens a file again and leaves what is in it alone', () => {
    const file = join(tempFolder(), 'again.sqlite');
    const first = openDatabase(file);
    first.exec("INSERT INTO visitors VALUES ('visitor-one', 1)");
    first.close();
    const second = openDatabase(file);
    expect(second.prepare('SELECT visitor_id FROM visitors').all()).toEqual([{ visitor_id: 'visitor-one' }]);
    second.close();
  });

  it('refuses a file that a newer program wrote', () => {
    const file = join(tempFolder(), 'newer.sqlite');
    const db = openDatabase(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openDatabase(file)).toThrow(/schema version 99/);
  });

  it('refuses a file that is no database', () => {
    const file = join(tempFolder(), 'letter.sqlite');
    writeFileSync(file, 'Dear reader, this is a letter and no database at all.'.repeat(20));
    expect(() => openDatabase(file)).toThrow(/not a database/);
  });
});
