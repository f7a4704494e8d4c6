import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { type Batch, createCsvFile, readInBatches } from "@/server/core/csv";
import { env } from "@/server/core/env";
import { parsePage, parseSort } from "@/server/core/list";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { buildWordFilters } from "@/server/domains/billing/records/service/filters";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { downloadDocuments, listDocuments } from "../contract";
import { PROCESSING_STATES, type Problem, STATES_WITH_DEADLINE } from "../policy";
import { ACCESS_ROW_FILTER } from "./access";
import { DOCUMENT_ARGS, toDocumentRow } from "./rows";

type Query = Input<typeof downloadDocuments>["query"];

const DUE_WITHIN_MS = { late: 0, "2d": 2 * DAY, "7d": 7 * DAY } as const;

function buildDocumentWhere(query: Query): Prisma.AccountingDocumentWhereInput {
  return {
    AND: [
      ...buildWordFilters(query.q).map(({ contains, ...idFilter }) => ({
        OR: [idFilter, { payment: { user: { emailKey: contains } } }, { documentNumber: contains }],
      })),
      ...(query.due == null
        ? []
        : [
            {
              state: { in: [...STATES_WITH_DEADLINE] },
              deadlineAt: { lt: fromNow(DUE_WITHIN_MS[query.due]) },
            },
          ]),
    ],
    ...(query.state != null && { state: query.state }),
    ...(query.user_id != null && { payment: { userId: query.user_id } }),
    ...(query.payment_id != null && { paymentId: query.payment_id }),
  };
}

const DEFAULT_SORT = "deadline_at";
const SORT_COLUMNS = { deadline_at: "deadlineAt", created_at: "createdAt", amount: "grossMinor" } as const;

function buildOrderBy(sort: Query["sort"]) {
  const { by, direction } = parseSort(sort ?? DEFAULT_SORT);
  return [{ [SORT_COLUMNS[by as keyof typeof SORT_COLUMNS]]: direction }, { id: direction }];
}

export async function listDocumentPage(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listDocuments>,
): Promise<Output<typeof listDocuments>> {
  requireAdministrator(actor);
  const where = buildDocumentWhere(query);
  const { range, ...page } = parsePage(query);
  const [total, documents, accounting] = await Promise.all([
    db.accountingDocument.count({ where }),
    findDocuments({ db }, { where, range, sort: query.sort }),
    getInvoicingState({ db }),
  ]);
  const data = documents.map(toDocumentRow);
  return { success: true, documents: data, data, count: data.length, meta: { ...page, total }, accounting };
}

/** By deadline, documents without a running deadline come last. */
async function findDocuments(
  { db }: Pick<DbAccess, "db">,
  {
    where,
    range,
    sort,
  }: {
    where: Prisma.AccountingDocumentWhereInput;
    range: { skip: number; take: number };
    sort: Query["sort"];
  },
) {
  const args = { orderBy: buildOrderBy(sort), ...DOCUMENT_ARGS };
  if (parseSort(sort ?? DEFAULT_SORT).by !== "deadline_at")
    return db.accountingDocument.findMany({ where, ...range, ...args });
  const withDeadline = { AND: [where, { state: { in: [...STATES_WITH_DEADLINE] } }] };
  const withoutDeadline = { AND: [where, { state: { notIn: [...STATES_WITH_DEADLINE] } }] };
  const first = await db.accountingDocument.findMany({ where: withDeadline, ...range, ...args });
  if (first.length === range.take) return first;
  const firstCount =
    first.length > 0 ? range.skip + first.length : await db.accountingDocument.count({ where: withDeadline });
  const rest = await db.accountingDocument.findMany({
    where: withoutDeadline,
    skip: Math.max(0, range.skip - firstCount),
    take: range.take - first.length,
    ...args,
  });
  return [...first, ...rest];
}

async function getInvoicingState({
  db,
}: Pick<DbAccess, "db">): Promise<Output<typeof listDocuments>["accounting"]> {
  const [access, openCount, lateCount] = await Promise.all([
    db.accountingAccess.findUnique({
      where: ACCESS_ROW_FILTER,
      select: { pausedAt: true, pausedReason: true, testedAt: true },
    }),
    db.accountingDocument.count({ where: { state: { in: [...PROCESSING_STATES] } } }),
    db.accountingDocument.count({
      where: { state: { in: [...STATES_WITH_DEADLINE] }, deadlineAt: { lt: new Date() } },
    }),
  ]);
  return {
    configured: env().parasut !== undefined,
    paused_at: toIsoMicros(access?.pausedAt ?? null),
    paused_reason: (access?.pausedReason ?? null) as Problem | null,
    tested_at: toIsoMicros(access?.testedAt ?? null),
    open: openCount,
    late: lateCount,
  };
}

export async function downloadDocumentsCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadDocuments>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: buildDocumentWhere(query), orderBy: buildOrderBy(query.sort) };
  const readBatch = async (batch: Batch) =>
    (await db.accountingDocument.findMany({ ...args, ...batch, ...DOCUMENT_ARGS })).map(toDocumentRow);
  async function* streamCsvRows() {
    for await (const { user, ...row } of readInBatches(readBatch))
      yield { ...row, user: user.name, email: user.email };
  }
  const columns = [
    ...[
      "id",
      "payment_id",
      "user_id",
      "user",
      "email",
      "state",
      "step",
      "amount",
      "net",
      "vat",
      "vat_rate",
      "currency",
    ],
    ...["paid_at", "deadline_at", "is_late", "number", "problem", "created_at"],
  ];
  return createCsvFile(streamCsvRows(), { name: "invoices.csv", columns, locale });
}
