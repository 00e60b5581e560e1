/** Team members invited by admins, and passkeys. A later migration that only adds to the schema. */
export const TEAM_TABLES = `
  -- email: normalised. invited_by: the address of the admin. signed_in_at: the first time; null until then.
  CREATE TABLE @admin_members (
    email #key PRIMARY KEY,
    id #key NOT NULL UNIQUE,
    role text NOT NULL,
    invited_at #bigint NOT NULL,
    invited_by text NOT NULL,
    signed_in_at #bigint
  ) #keyed;
  -- Public data only. credential_id, public_key: base64url. email: the owner's, normalised.
  CREATE TABLE @admin_passkeys (
    id #key PRIMARY KEY,
    credential_id #key NOT NULL UNIQUE,
    email #key NOT NULL,
    name text NOT NULL,
    public_key text NOT NULL,
    counter #bigint NOT NULL,
    created_at #bigint NOT NULL,
    last_used_at #bigint
  ) #keyed;
  CREATE INDEX admin_passkeys_by_email ON @admin_passkeys (email, created_at);
  -- member: the address of the member of the team whom it concerned.
  ALTER TABLE @admin_audit ADD COLUMN member text;
`;
