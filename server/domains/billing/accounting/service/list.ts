import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input, Output } from "@/server/core/contract";
import { type Batch, csvFile, inBatches } from "@/server/core/csv";
import { env } from "@/server/core/env";
import { orderOf, pageOf } from "@/server/core/list";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { wordFilters } from "@/server/domains/billing/records/service/filters";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { downloadDocuments, listDocuments } from "../contract";
import { PROCESSING_STATES, type Problem, SETTLED_STATES } from "../policy";
import { ACCESS_ROW } from "./access";
import { DOCUMENT, documentRow } from "./rows";

type Query = Input<typeof downloadDocuments>["query"];

const DUE = { late: 0, "2d": 2 * DAY, "7d": 7 * DAY } as const;

function documentsWhere(query: Query): Prisma.AccountingDocumentWhereInput {
  return {
    AND: [
      ...wordFilters(query.q).map(({ contains, ...byNumber }) => ({
        OR: [byNumber, { payment: { user: { emailKey: contains } } }, { documentNumber: contains }],
      })),
      ...(query.due == null
        ? []
        : [{ state: { notIn: [...SETTLED_STATES] }, deadlineAt: { lt: fromNow(DUE[query.due]) } }]),
    ],
    ...(query.state != null && { state: query.state }),
    ...(query.user_id != null && { payment: { userId: query.user_id } }),
    ...(query.payment_id != null && { paymentId: query.payment_id }),
  };
}

const COLUMNS = { deadline_at: "deadlineAt", created_at: "createdAt", amount: "grossMinor" } as const;

function orderBy(sort: Query["sort"]) {
  const { by, direction } = orderOf(sort ?? "deadline_at");
  return [{ [COLUMNS[by as keyof typeof COLUMNS]]: direction }, { id: direction }];
}

export async function list(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listDocuments>,
): Promise<Output<typeof listDocuments>> {
  requireAdministrator(actor);
  const where = documentsWhere(query);
  const { rows, ...page } = pageOf(query);
  const [total, documents, accounting] = await Promise.all([
    db.accountingDocument.count({ where }),
    db.accountingDocument.findMany({ where, ...rows, orderBy: orderBy(query.sort), ...DOCUMENT }),
    standingOf({ db }),
  ]);
  const data = documents.map(documentRow);
  return { success: true, documents: data, data, count: data.length, meta: { ...page, total }, accounting };
}

async function standingOf({ db }: Pick<DbAccess, "db">): Promise<Output<typeof listDocuments>["accounting"]> {
  const [access, open, late] = await Promise.all([
    db.accountingAccess.findUnique({
      where: ACCESS_ROW,
      select: { pausedAt: true, pausedReason: true, testedAt: true },
    }),
    db.accountingDocument.count({ where: { state: { in: [...PROCESSING_STATES] } } }),
    db.accountingDocument.count({
      where: { state: { notIn: [...SETTLED_STATES] }, deadlineAt: { lt: new Date() } },
    }),
  ]);
  return {
    configured: env().parasut !== undefined,
    paused_at: isoMicros(access?.pausedAt ?? null),
    paused_reason: (access?.pausedReason ?? null) as Problem | null,
    tested_at: isoMicros(access?.testedAt ?? null),
    open,
    late,
  };
}

export async function downloadCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadDocuments>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: documentsWhere(query), orderBy: orderBy(query.sort) };
  const read = async (page: Batch) =>
    (await db.accountingDocument.findMany({ ...args, ...page, ...DOCUMENT })).map(documentRow);
  async function* rows() {
    for await (const { user, ...row } of inBatches(read))
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
  return csvFile(rows(), { name: "invoices.csv", columns, locale });
}
