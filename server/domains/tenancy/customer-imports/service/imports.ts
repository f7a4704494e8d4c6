import { buffer } from "node:stream/consumers";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output, WithFile } from "@/server/core/contract";
import { createError, createInaccessibleError, invalidField } from "@/server/core/errors";
import { cleanFileName } from "@/server/core/file-name";
import { formatText } from "@/server/core/texts";
import { fromNow, SECOND, toIsoMicros } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { getImport, listImports, mapImport, runImport, uploadImport } from "../contract";
import { importJobKey } from "../policy";
import { checkRows, ImportReport, type Mapping, StoredMapping } from "./check-rows";
import { setHasHeadings } from "./detect-layout";
import { detectMapping } from "./detect-mapping";
import { readTable } from "./read-table";
import { getAccountReportWaitSeconds } from "./report-limit";
import { parseStoredTable, type Table, toStoredRows } from "./table";

const MAX_LISTED_IMPORTS = 20;
const MAX_FILE_NAME_LENGTH = 200;
const SAMPLE_ROW_COUNT = 5;
const MAX_SAMPLE_CELL_LENGTH = 80;

const SUMMARY_SELECT = {
  id: true,
  fileName: true,
  state: true,
  total: true,
  done: true,
  createdAt: true,
} as const;
const DETAIL_SELECT = {
  ...SUMMARY_SELECT,
  rows: true,
  headingRow: true,
  mapping: true,
  report: true,
} as const;

type ImportSummary = {
  id: number;
  fileName: string | null;
  state: "uploaded" | "running" | "done";
  total: number;
  done: number;
  createdAt: Date;
};
type ImportDetail = ImportSummary & {
  rows: unknown;
  headingRow: number | null;
  mapping: unknown;
  report: unknown;
};

const toSummary = ({ id, fileName, state, total, done, createdAt }: ImportSummary) => ({
  id,
  file_name: fileName,
  state,
  total,
  done,
  created_at: toIsoMicros(createdAt),
});

async function toImport(
  { actor, locale }: Context<UserActor>,
  row: ImportDetail,
): Promise<Output<typeof getImport>["import"]> {
  const table = parseStoredTable(row.rows, row.headingRow);
  const mapping = row.mapping ? StoredMapping.parse(row.mapping) : detectTableMapping(table);
  const report = ImportReport.parse(row.report);
  return {
    ...toSummary(row),
    columns: table.columns.map(
      (heading, index) => heading || formatText(locale, "responses.import_column", { number: index + 1 }),
    ),
    has_header: table.headingRow !== null,
    examples: table.columns.map((_, index) => {
      const exampleRow = table.rows.find(({ cells }) => cells[index]);
      return exampleRow ? shortenCell(exampleRow.cells[index]!) : null;
    }),
    sample: table.rows
      .slice(0, SAMPLE_ROW_COUNT)
      .map(({ row, cells }) => ({ row, cells: cells.map(shortenCell) })),
    mapping,
    continues_at: row.state === "running" ? await findContinuationTime(actor.id) : null,
    rows: [...report, ...checkRows(table, mapping).slice(row.done)],
  };
}

const detectTableMapping = ({ columns, rows }: Table) =>
  detectMapping(
    columns,
    rows.map(({ cells }) => cells),
  );

function shortenCell(cell: string): string {
  return cell.length > MAX_SAMPLE_CELL_LENGTH
    ? `${cell.slice(0, MAX_SAMPLE_CELL_LENGTH).toWellFormed()}…`
    : cell;
}

async function findContinuationTime(resellerId: number): Promise<string | null> {
  const seconds = await getAccountReportWaitSeconds(resellerId);
  return seconds > 0 ? toIsoMicros(fromNow(seconds * SECOND)) : null;
}

export async function createImport(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadImport>> {
  await requireSignedReseller(ctx);
  const table = readTable(await buffer(file.content));
  const fileName = [...cleanFileName(file.name ?? "")].slice(0, MAX_FILE_NAME_LENGTH).join("");
  const row = await ctx.db.customerImport.create({
    data: {
      resellerId: ctx.actor.id,
      fileName: fileName || null,
      rows: toStoredRows(table),
      headingRow: table.headingRow,
      total: table.rows.length,
      locale: ctx.locale,
    },
    select: DETAIL_SELECT,
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.import_read"),
    import: await toImport(ctx, row),
  };
}

export async function listOwnImports(ctx: Context<UserActor>): Promise<Output<typeof listImports>> {
  await requireSignedReseller(ctx);
  const rows = await ctx.db.customerImport.findMany({
    where: { resellerId: ctx.actor.id },
    orderBy: { id: "desc" },
    take: MAX_LISTED_IMPORTS,
    select: SUMMARY_SELECT,
  });
  return { success: true, imports: rows.map(toSummary) };
}

export async function readImport(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getImport>,
): Promise<Output<typeof getImport>> {
  await requireSignedReseller(ctx);
  return { success: true, import: await toImport(ctx, await findOwnImport(ctx, id)) };
}

export async function updateImportColumns(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof mapImport>,
): Promise<Output<typeof mapImport>> {
  await requireSignedReseller(ctx);
  const savedRow = await withLockedOwnAccount(ctx, async (tx) => {
    const row = await findOwnImport(tx, id);
    const storedTable = parseStoredTable(row.rows, row.headingRow);
    const table = setHasHeadings(storedTable, body.has_header ?? storedTable.headingRow !== null);
    if (table.rows.length === 0) throw invalidField("has_header", "import_unreadable");
    const mapping = body.mapping ? parseMapping(body.mapping, table) : undefined;
    const { count } = await tx.db.customerImport.updateMany({
      where: { id, resellerId: tx.actor.id, state: "uploaded" },
      data: {
        ...(mapping && { mapping }),
        ...(table.headingRow !== storedTable.headingRow && {
          rows: toStoredRows(table),
          headingRow: table.headingRow,
          total: table.rows.length,
        }),
      },
    });
    if (count === 0) throw createError("import_begun");
    return findOwnImport(tx, id);
  });
  const savedImport = await toImport(ctx, savedRow);
  return { success: true, message: formatText(ctx.locale, "responses.import_mapped"), import: savedImport };
}

type MappingInput = NonNullable<Input<typeof mapImport>["body"]["mapping"]>;

function parseMapping(
  { name, last_name = null, email, phone = null }: MappingInput,
  { columns }: Table,
): Mapping {
  const usedColumns = [name, last_name, email, phone].filter((column) => column !== null);
  if (
    usedColumns.some((column) => column >= columns.length) ||
    new Set(usedColumns).size < usedColumns.length
  )
    throw invalidField("mapping", "import_columns");
  return { name, last_name, email, phone };
}

export async function startImport(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof runImport>,
): Promise<Output<typeof runImport>> {
  await requireSignedReseller(ctx);
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  const row = await findOwnImport(ctx, id);
  if (row.state !== "uploaded") throw createError("import_begun");
  if (row.mapping === null) throw createError("import_unmapped");
  return withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.customerImport.updateMany({
      where: { id, resellerId: tx.actor.id, state: "uploaded" },
      data: { state: "running", locale: tx.locale },
    });
    if (count === 0) throw createError("import_begun");
    await audit(tx, {
      action: "customer.import_begun",
      object: { type: "CustomerImport", id },
      details: { rows: row.total },
    });
    await recordAddition(tx, tx.actor.id, { kind: "customer_import", name: row.fileName ?? "" });
    await addJob(tx, "import_customers", { importId: id }, { key: importJobKey(id) });
    const startedImport = await toImport(ctx, await findOwnImport(tx, id));
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.import_begun"),
      import: startedImport,
    };
  });
}

async function findOwnImport({ db, actor }: Context<UserActor>, id: number): Promise<ImportDetail> {
  const row = await db.customerImport.findUnique({
    where: { id },
    select: { ...DETAIL_SELECT, resellerId: true },
  });
  if (row?.resellerId !== actor.id) throw createInaccessibleError(row, "CustomerImport", id);
  return row;
}
