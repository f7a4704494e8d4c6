import type * as z from "zod";
import { dayOf } from "@/server/core/calendar";
import { amountOf } from "@/server/core/money";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DocumentRow } from "../contract";
import { type Problem, SETTLED_STATES, type Step } from "../policy";

export const DOCUMENT = {
  include: { payment: { select: { paidAt: true, user: { select: { id: true, name: true, email: true } } } } },
} as const satisfies Prisma.AccountingDocumentDefaultArgs;
type Stored = Prisma.AccountingDocumentGetPayload<typeof DOCUMENT>;

const CLOSED_STATES = new Set<string>(SETTLED_STATES);

export function documentRow(row: Stored): z.output<typeof DocumentRow> {
  const { user, paidAt } = row.payment;
  return {
    id: row.id,
    payment_id: row.paymentId,
    user_id: user.id,
    user,
    state: row.state,
    step: row.step as Step | "cancelling" | null,
    amount: amountOf(row.grossMinor),
    net: amountOf(row.netMinor),
    vat: amountOf(row.vatMinor),
    vat_rate: row.vatRate,
    currency: row.currency,
    paid_at: dayOf(paidAt),
    deadline_at: isoMicros(row.deadlineAt),
    is_late: !CLOSED_STATES.has(row.state) && row.deadlineAt < new Date(),
    number: row.documentNumber,
    problem: row.problem as Problem | null,
    missing: row.missing,
    has_pdf: row.pdfKey !== null,
    created_at: isoMicros(row.createdAt),
  };
}
