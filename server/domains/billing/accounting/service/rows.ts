import type * as z from "zod";
import { toTurkishDay } from "@/server/core/calendar";
import { toAmount } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DocumentRow } from "../contract";
import { type Problem, STATES_WITH_DEADLINE, type Step } from "../policy";

export const DOCUMENT_ARGS = {
  include: { payment: { select: { paidAt: true, user: { select: { id: true, name: true, email: true } } } } },
} as const satisfies Prisma.AccountingDocumentDefaultArgs;
type StoredDocument = Prisma.AccountingDocumentGetPayload<typeof DOCUMENT_ARGS>;

const STATES_WITH_DEADLINE_SET = new Set<string>(STATES_WITH_DEADLINE);

export function toDocumentRow(row: StoredDocument): z.output<typeof DocumentRow> {
  const { user, paidAt } = row.payment;
  return {
    id: row.id,
    payment_id: row.paymentId,
    user_id: user.id,
    user,
    state: row.state,
    step: row.step as Step | "cancelling" | null,
    amount: toAmount(row.grossMinor),
    net: toAmount(row.netMinor),
    vat: toAmount(row.vatMinor),
    vat_rate: row.vatRate,
    currency: row.currency,
    paid_at: toTurkishDay(paidAt),
    deadline_at: toIsoMicros(row.deadlineAt),
    is_late: STATES_WITH_DEADLINE_SET.has(row.state) && row.deadlineAt < new Date(),
    number: row.documentNumber,
    problem: row.problem as Problem | null,
    missing: row.missing,
    has_pdf: row.pdfKey !== null,
    created_at: toIsoMicros(row.createdAt),
  };
}
