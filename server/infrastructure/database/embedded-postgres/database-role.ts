import { createHmac } from "node:crypto";
import { Client } from "pg";
import { SUPERUSER } from "./cluster";
import { DatabaseStartError } from "./errors";

const DATABASE_NAME = "tellal";

/** URLs of a running cluster: for the application, and for the superuser (maintenance and tests). */
export interface DatabaseUrls {
  url: string;
  adminUrl: string;
}

export function buildDatabaseUrls(port: number, password: string): DatabaseUrls {
  return {
    url: `postgresql://${DATABASE_NAME}:${deriveRolePassword(password)}@127.0.0.1:${port}/${DATABASE_NAME}`,
    adminUrl: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
  };
}

/** Derived from the superuser's password without revealing it, so that one file is enough. */
function deriveRolePassword(password: string): string {
  return createHmac("sha256", password).update(DATABASE_NAME).digest("hex");
}

/** Creates database and role. Not a superuser, so injected SQL cannot run programs or read files. */
export async function ensureDatabaseAndRole(
  port: number,
  password: string,
  isNewCluster: boolean,
): Promise<DatabaseUrls> {
  const urls = buildDatabaseUrls(port, password);
  if (!isNewCluster && (await canConnect(urls.url))) return urls;
  const client = new Client({ connectionString: urls.adminUrl });
  try {
    await client.connect();
    const roleResult = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [DATABASE_NAME]);
    const verb = roleResult.rowCount ? "ALTER" : "CREATE";
    await client.query(
      `${verb} ROLE ${DATABASE_NAME} LOGIN NOSUPERUSER PASSWORD '${deriveRolePassword(password)}'`,
    );
    const databaseResult = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      DATABASE_NAME,
    ]);
    if (!databaseResult.rowCount)
      await client.query(`CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_NAME}`);
  } catch (error) {
    if ((error as { code?: string }).code === "28P01") {
      throw new DatabaseStartError(
        "The file postgres.password does not fit the database beside it; put both back from the same backup.",
      );
    }
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
  return urls;
}

/** Returns false if role, password or database do not exist yet; throws other errors. */
async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    const missingCodes = ["28P01", "28000", "3D000"];
    if (missingCodes.includes((error as { code?: string }).code ?? "")) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
