/** A later migration that only adds to the schema. Each database has its own index of traffic sources. */
export const COUNTRY_COLUMNS = `
  -- country: two letters of ISO 3166; null if it is not known.
  ALTER TABLE @sessions ADD COLUMN country text;
  ALTER TABLE @traffic_sources ADD COLUMN country text NOT NULL DEFAULT '';
  DROP INDEX @traffic_sources_by_values;
`;
