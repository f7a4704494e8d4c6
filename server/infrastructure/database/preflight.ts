import type { Client } from "pg";
import { DatabaseStartError } from "./embedded-postgres/errors";

export const MIN_POSTGRES_MAJOR = 15;

interface DatabaseFacts {
  role: string;
  database: string;
  major: number;
  encoding: string;
  has_icu: boolean;
  owns_database: boolean;
  creates_tables: boolean;
  creates_schemas: boolean;
  missing_extensions: string[];
  /** Required extensions that this user may not create. */
  refused_extensions: string[];
}

// `trusted` is read by name, because PostgreSQL 12 lacks the column and must be rejected for its version.
const FACTS_QUERY = `
  WITH needed AS (
    SELECT name, EXISTS (SELECT 1 FROM pg_extension WHERE extname = name) AS is_created,
           EXISTS (SELECT 1 FROM pg_available_extensions a WHERE a.name = n.name) AS is_available,
           (SELECT bool_or((to_jsonb(v) ->> 'trusted')::boolean) FROM pg_available_extension_versions v
             WHERE v.name = n.name) AS is_trusted
      FROM unnest($1::text[]) AS n (name))
  SELECT current_user AS role, d.datname AS database, pg_encoding_to_char(d.encoding) AS encoding,
         current_setting('server_version_num')::int / 10000 AS major,
         EXISTS (SELECT 1 FROM pg_collation WHERE collprovider = 'i') AS has_icu,
         pg_has_role(d.datdba, 'USAGE') AS owns_database,
         has_database_privilege(d.oid, 'CREATE') AS creates_schemas,
         coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace
                    WHERE nspname = coalesce(current_schema(), 'public')), false) AS creates_tables,
         ARRAY(SELECT name FROM needed WHERE NOT is_created AND NOT is_available) AS missing_extensions,
         ARRAY(SELECT name FROM needed
                WHERE NOT is_created AND is_available AND NOT r.rolsuper
                  AND NOT (is_trusted AND has_database_privilege(d.oid, 'CREATE'))) AS refused_extensions
    FROM pg_database d, pg_roles r
   WHERE d.datname = current_database() AND r.rolname = current_user`;

/** Throws {@link DatabaseStartError} if migrations would fail. `checksPrivileges: false` is for workers. */
export async function requireMigratableDatabase(
  client: Client,
  migrations: readonly { sql: string }[],
  { checksPrivileges = true } = {},
): Promise<void> {
  const sql = migrations.map((migration) => migration.sql).join("\n");
  const extensionMatches = sql.matchAll(/CREATE EXTENSION (?:IF NOT EXISTS )?"?(\w+)"?/gi);
  const extensions = [...new Set([...extensionMatches].map(([, name]) => name!))];
  const { rows } = await client.query<DatabaseFacts>(FACTS_QUERY, [extensions]);
  const facts = rows[0]!;
  const problem =
    findIncompatibility(facts, /provider\s*=\s*icu/i.test(sql)) ??
    (checksPrivileges ? findMissingPrivilege(facts) : undefined);
  if (problem) throw new DatabaseStartError(`DATABASE_URL: ${problem}`);
}

function findIncompatibility(
  { role, database, major, encoding, has_icu, missing_extensions }: DatabaseFacts,
  needsIcu: boolean,
) {
  if (major < MIN_POSTGRES_MAJOR)
    return `PostgreSQL ${MIN_POSTGRES_MAJOR} or newer is needed; this one is ${major}.`;
  if (encoding !== "UTF8")
    return (
      `the database ${database} has the encoding ${encoding} and has to have UTF8. Create it again; as the user postgres run: ` +
      `dropdb ${quoteShell(database)} && createdb -O ${quoteShell(role)} -E UTF8 -T template0 ${quoteShell(database)}`
    );
  if (needsIcu && !has_icu)
    return "this PostgreSQL was built without ICU, which sorts names; use a build that has it.";
  if (missing_extensions.length > 0)
    return `this PostgreSQL lacks ${missing_extensions.join(" and ")}; install its package of extensions, such as postgresql-contrib.`;
  return undefined;
}

function findMissingPrivilege({
  role,
  database,
  owns_database,
  creates_schemas,
  creates_tables,
  refused_extensions,
}: DatabaseFacts) {
  if (!owns_database && !(creates_schemas && creates_tables))
    return (
      `the user ${role} may not create tables in the database ${database}. As the user postgres run: ` +
      formatPsqlCommand(
        "postgres",
        `ALTER DATABASE ${quoteIdentifier(database)} OWNER TO ${quoteIdentifier(role)}`,
      )
    );
  if (!creates_tables)
    return (
      `the user ${role} may not create tables in the schema public of the database ${database}. As the user postgres run: ` +
      formatPsqlCommand(database, `GRANT ALL ON SCHEMA public TO ${quoteIdentifier(role)}`)
    );
  if (refused_extensions.length > 0)
    return (
      `the user ${role} may not create the extension ${refused_extensions.join(" and ")}. As the user postgres run: ` +
      formatPsqlCommand(
        database,
        refused_extensions.map((each) => `CREATE EXTENSION ${quoteIdentifier(each)}`).join("; "),
      )
    );
  return undefined;
}

const isUnquotedName = (text: string) => /^[a-z_][a-z0-9_]*$/.test(text);

const quoteIdentifier = (text: string) => (isUnquotedName(text) ? text : `"${text.replaceAll('"', '""')}"`);

const quoteShell = (text: string) => (isUnquotedName(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const formatPsqlCommand = (database: string, statement: string) =>
  `psql -d ${quoteShell(database)} -c ${quoteShell(statement)}`;
