import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, type Connection, type FieldDef } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { RawUtf8 } from "@/server/core/raw-utf8";
import "@/server/domains";
import { buildTokenQuery } from "@/server/domains/access/tokens/statements";
import { createTestDatabase } from "@/server/testing/database";
import { getHandlers } from "@/server/transports/rest/operations";
import type { Statement } from "./statement";

/* PostgreSQL describes every named statement without running it; its columns must match the row's schema. */

const domainsDir = fileURLToPath(new URL("../../domains", import.meta.url));
const statementFiles = readdirSync(domainsDir, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith("statements.ts"),
);
const statements: Array<[string, Statement]> = [];
for (const file of statementFiles) {
  const module = await import(/* @vite-ignore */ pathToFileURL(resolve(domainsDir, file)).href);
  for (const [name, value] of Object.entries(module))
    if (typeof value === "function" && "text" in value && "row" in value)
      statements.push([`${file}: ${name}`, value as Statement]);
}
for (const { operation, outputSql } of getHandlers())
  if (outputSql)
    statements.push([`${operation.id}, with its token`, buildTokenQuery(outputSql) as Statement]);

let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: await createTestDatabase() });
  await client.connect();
});
afterAll(() => client.end());

/** "Submittable" of the pg driver that parses and describes a statement. */
class DescribeQuery {
  private columns: FieldDef[] = [];
  constructor(
    private readonly text: string,
    private readonly onDone: (error: Error | undefined, columns: FieldDef[]) => void,
  ) {}
  submit(connection: Connection): void {
    const wire = connection as Connection & Record<"parse" | "describe" | "sync", (message?: object) => void>;
    wire.parse({ name: "", text: this.text, types: [] });
    wire.describe({ type: "S", name: "" });
    wire.sync();
  }
  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.columns = fields;
  }
  // The driver drops a failed query: there is no further call.
  handleError(error: Error): void {
    this.onDone(error, []);
  }
  handleReadyForQuery(): void {
    this.onDone(undefined, this.columns);
  }
}

function describeColumns(text: string): Promise<FieldDef[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new DescribeQuery(text, (error, columns) => (error ? reject(error) : resolve(columns))) as never,
    );
  });
}

/** Kind of value by PostgreSQL type OID; enums, with OIDs of their own, are strings. */
const KIND_BY_OID: Record<number, string> = {
  16: "boolean",
  17: "bytes",
  20: "string",
  21: "number",
  23: "number",
  701: "number",
  114: "json",
  3802: "json",
  1007: "array",
  1009: "array",
  1022: "array",
  1082: "date",
  1114: "date",
  1184: "date",
};

function toKind(schema: z.core.$ZodType): string {
  const def = schema._zod.def as z.core.$ZodTypeDef & {
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
    options?: z.core.$ZodType[];
    values?: unknown[];
  };
  if (def.innerType) return toKind(def.innerType);
  if (def.in) return toKind(def.in);
  if (def.type === "literal") return typeof def.values![0];
  if (def.type === "enum") return "string";
  if (def.type === "custom") return z.core.safeParse(schema, new RawUtf8("")).success ? "string" : "bytes";
  return def.type === "int" ? "number" : def.type;
}

describe("every named statement", () => {
  it.each(statements)("%s has the columns of its row", async (_, { text, row }) => {
    const columns = await describeColumns(text);
    const shape = row instanceof z.ZodObject ? row.shape : {};
    expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(shape).sort());
    for (const { name, dataTypeID } of columns) {
      const kind = KIND_BY_OID[dataTypeID] ?? "string";
      const expectedKind = toKind(shape[name]!);
      // PostgreSQL does not know what JSON contains.
      if (kind !== "json") expect({ name, wanted: expectedKind }).toEqual({ name, wanted: kind });
    }
  });
});
