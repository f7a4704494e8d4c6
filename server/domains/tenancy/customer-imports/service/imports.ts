import { buffer } from "node:stream/consumers";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output, WithFile } from "@/server/core/contract";
import { inaccessibleRecord, invalid, refuse } from "@/server/core/errors";
import { cleanFileName } from "@/server/core/file-name";
import { text } from "@/server/core/texts";
import { fromNow, isoMicros, SECOND } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireReseller } from "@/server/domains/accounts/portals/service/access";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { getImport, listImports, mapImport, runImport, uploadImport } from "../contract";
import { importKey } from "../policy";
import { checkRows, type Mapping, Report, StoredMapping } from "./check-rows";
import { detectMapping } from "./guess";
import { withHeadings } from "./layout";
import { readTable } from "./read";
import { secondsUntilReport } from "./report-limit";
import { parseStoredTable, type Table, toStoredRows } from "./table";

const LIST_MAX = 20;
const NAME_MAX = 200;
const SAMPLE = 5;
const SAMPLE_CELL = 80;

const LINE = { id: true, fileName: true, state: true, total: true, done: true, createdAt: true } as const;
const WHOLE = { ...LINE, rows: true, headingRow: true, mapping: true, report: true } as const;

type Line = {
  id: number;
  fileName: string | null;
  state: "uploaded" | "running" | "done";
  total: number;
  done: number;
  createdAt: Date;
};
type Whole = Line & { rows: unknown; headingRow: number | null; mapping: unknown; report: unknown };

const lineOf = ({ id, fileName, state, total, done, createdAt }: Line) => ({
  id,
  file_name: fileName,
  state,
  total,
  done,
  created_at: isoMicros(createdAt),
});

/** Returns an import with the report of finished rows and a preview of the others. */
async function importOf(
  { actor, locale }: Context<UserActor>,
  row: Whole,
): Promise<Output<typeof getImport>["import"]> {
  const table = parseStoredTable(row.rows, row.headingRow);
  const mapping = row.mapping ? StoredMapping.parse(row.mapping) : guessMapping(table);
  const report = Report.parse(row.report);
  return {
    ...lineOf(row),
    columns: table.columns.map(
      (heading, index) => heading || text(locale, "responses.import_column", { number: index + 1 }),
    ),
    has_header: table.headingRow !== null,
    examples: table.columns.map((_, index) => {
      const line = table.rows.find(({ cells }) => cells[index]);
      return line ? shorten(line.cells[index]!) : null;
    }),
    sample: table.rows.slice(0, SAMPLE).map(({ row, cells }) => ({ row, cells: cells.map(shorten) })),
    mapping,
    continues_at: row.state === "running" ? await continuesAt(actor.id) : null,
    rows: [...report, ...checkRows(table, mapping).slice(row.done)],
  };
}

const guessMapping = ({ columns, rows }: Table) =>
  detectMapping(
    columns,
    rows.map(({ cells }) => cells),
  );

function shorten(cell: string): string {
  return cell.length > SAMPLE_CELL ? `${cell.slice(0, SAMPLE_CELL).toWellFormed()}…` : cell;
}

async function continuesAt(resellerId: number): Promise<string | null> {
  const seconds = await secondsUntilReport(resellerId);
  return seconds > 0 ? isoMicros(fromNow(seconds * SECOND)) : null;
}

/** Stores the rows of a file without inviting anyone. Throws `validation` for anything but a table. */
export async function upload(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadImport>> {
  await requireReseller(ctx);
  const table = readTable(await buffer(file.content));
  const name = [...cleanFileName(file.name ?? "")].slice(0, NAME_MAX).join("");
  const row = await ctx.db.customerImport.create({
    data: {
      resellerId: ctx.actor.id,
      fileName: name || null,
      rows: toStoredRows(table),
      headingRow: table.headingRow,
      total: table.rows.length,
      locale: ctx.locale,
    },
    select: WHOLE,
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.import_read"),
    import: await importOf(ctx, row),
  };
}

export async function list(ctx: Context<UserActor>): Promise<Output<typeof listImports>> {
  await requireReseller(ctx);
  const rows = await ctx.db.customerImport.findMany({
    where: { resellerId: ctx.actor.id },
    orderBy: { id: "desc" },
    take: LIST_MAX,
    select: LINE,
  });
  return { success: true, imports: rows.map(lineOf) };
}

export async function get(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getImport>,
): Promise<Output<typeof getImport>> {
  await requireReseller(ctx);
  return { success: true, import: await importOf(ctx, await findOwn(ctx, id)) };
}

/** Throws `import_begun`, and `validation` for a missing or repeated column. */
export async function map(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof mapImport>,
): Promise<Output<typeof mapImport>> {
  await requireReseller(ctx);
  const row = await findOwn(ctx, id);
  const before = parseStoredTable(row.rows, row.headingRow);
  const table = withHeadings(before, body.has_header ?? before.headingRow !== null);
  if (table.rows.length === 0) throw invalid("has_header", "import_unreadable");
  const mapping = body.mapping ? mappingOf(body.mapping, table) : undefined;
  const { count } = await ctx.db.customerImport.updateMany({
    where: { id, resellerId: ctx.actor.id, state: "uploaded", headingRow: before.headingRow },
    data: {
      ...(mapping && { mapping }),
      ...(table.headingRow !== before.headingRow && {
        rows: toStoredRows(table),
        headingRow: table.headingRow,
        total: table.rows.length,
      }),
    },
  });
  if (count === 0) throw refuse("import_begun");
  const saved = await importOf(ctx, await findOwn(ctx, id));
  return { success: true, message: text(ctx.locale, "responses.import_mapped"), import: saved };
}

type MappingInput = NonNullable<Input<typeof mapImport>["body"]["mapping"]>;

function mappingOf(
  { name, last_name = null, email, phone = null }: MappingInput,
  { columns }: Table,
): Mapping {
  const columnsUsed = [name, last_name, email, phone].filter((column) => column !== null);
  if (
    columnsUsed.some((column) => column >= columns.length) ||
    new Set(columnsUsed).size < columnsUsed.length
  )
    throw invalid("mapping", "import_columns");
  return { name, last_name, email, phone };
}

/** Starts the job. Throws `import_begun`, `import_unmapped` and `email_needs_verification`. */
export async function run(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof runImport>,
): Promise<Output<typeof runImport>> {
  await requireReseller(ctx);
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const row = await findOwn(ctx, id);
  if (row.state !== "uploaded") throw refuse("import_begun");
  if (row.mapping === null) throw refuse("import_unmapped");
  return withOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.customerImport.updateMany({
      where: { id, resellerId: tx.actor.id, state: "uploaded" },
      data: { state: "running", locale: tx.locale },
    });
    if (count === 0) throw refuse("import_begun");
    await audit(tx, {
      action: "customer.import_begun",
      object: { type: "CustomerImport", id },
      details: { rows: row.total },
    });
    await recordAddition(tx, tx.actor.id, { kind: "customer_import", name: row.fileName ?? "" });
    await addJob(tx, "import_customers", { importId: id }, { key: importKey(id) });
    const started = await importOf(ctx, await findOwn(tx, id));
    return { success: true as const, message: text(ctx.locale, "responses.import_begun"), import: started };
  });
}

async function findOwn({ db, actor }: Context<UserActor>, id: number): Promise<Whole> {
  const row = await db.customerImport.findUnique({ where: { id }, select: { ...WHOLE, resellerId: true } });
  if (row?.resellerId !== actor.id) throw inaccessibleRecord(row, "CustomerImport", id);
  return row;
}
