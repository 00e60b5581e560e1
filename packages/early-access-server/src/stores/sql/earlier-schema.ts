/** The error for a database from before version 1 of the schema, which has no way to this one but the list itself. */
export function earlierSchema(setting: 'DATA_DIR' | 'DATABASE_URL'): Error {
  return new Error(
    `it was made by an earlier version: export the list with that version, start this one with a new ${setting}, and import the list`,
  );
}
