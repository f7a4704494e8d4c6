import type { Route } from "next";
import { createSerializer, parseAsStringLiteral } from "nuqs/server";
import { createListParsers, parseAsDay, parseAsRecordId } from "@/components/api/list-parsers";
import { DOCUMENT_STATES } from "@/server/domains/billing/records/policy";

export const SUBSCRIPTION_STATES = ["pending", "active", "past_due", "expired", "cancelled"] as const;
export const subscriptionParsers = {
  ...createListParsers(["created_at", "-created_at", "ends_at", "-ends_at"], "-created_at"),
  status: parseAsStringLiteral(SUBSCRIPTION_STATES),
  user_id: parseAsRecordId,
};

export const PAYMENT_STATES = ["recorded", "reversed"] as const;
export const paymentParsers = {
  ...createListParsers(
    ["created_at", "-created_at", "paid_at", "-paid_at", "amount", "-amount"],
    "-created_at",
  ),
  state: parseAsStringLiteral(PAYMENT_STATES),
  invoice: parseAsStringLiteral(DOCUMENT_STATES),
  paid_from: parseAsDay,
  paid_to: parseAsDay,
  user_id: parseAsRecordId,
};

export const LICENCE_STATES = ["pending", "active", "absorbed", "expired", "cancelled"] as const;
export const licenceParsers = {
  ...createListParsers(
    ["created_at", "-created_at", "pay_by", "-pay_by", "period_end", "-period_end"],
    "-created_at",
  ),
  status: parseAsStringLiteral(LICENCE_STATES),
  user_id: parseAsRecordId,
};

export const DUE_FILTERS = ["late", "2d", "7d"] as const;
export const invoiceParsers = {
  ...createListParsers(
    ["deadline_at", "-deadline_at", "created_at", "-created_at", "amount", "-amount"],
    "deadline_at",
  ),
  state: parseAsStringLiteral(DOCUMENT_STATES),
  due: parseAsStringLiteral(DUE_FILTERS),
  user_id: parseAsRecordId,
};

export type RecordListParsers =
  | typeof subscriptionParsers
  | typeof paymentParsers
  | typeof licenceParsers
  | typeof invoiceParsers;

export function getCsvPath(
  path: `/api/admin/${string}.csv`,
  parsers: RecordListParsers,
  view: object,
): Route {
  const { page: _, ...filters } = parsers;
  return createSerializer(filters)(path, view as never) as Route;
}

export const getNewestQuery = (userId: number) => ({ user_id: String(userId), per_page: "10" });
