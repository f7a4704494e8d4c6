import type { Input } from "@/server/core/contract";
import { escapeLike } from "@/server/core/fold";
import { parseSort } from "@/server/core/list";
import { MAX_ID } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { downloadLicences, downloadPayments, downloadSubscriptions } from "../contract";

export type SubscriptionQuery = Input<typeof downloadSubscriptions>["query"];
export type PaymentQuery = Input<typeof downloadPayments>["query"];
export type LicenceQuery = Input<typeof downloadLicences>["query"];

export function buildSubscriptionWhere(query: SubscriptionQuery): Prisma.SubscriptionWhereInput {
  return {
    AND: buildWordFilters(query.q).map(({ contains, ...idFilter }) => ({
      OR: [idFilter, { user: { emailKey: contains } }, { reference: contains }],
    })),
    ...(query.user_id != null && { userId: query.user_id }),
    ...(query.plan_id != null && { planId: query.plan_id }),
    ...(query.status != null && { status: query.status }),
  };
}

export function buildPaymentWhere(query: PaymentQuery): Prisma.PaymentWhereInput {
  return {
    AND: buildWordFilters(query.q).map(({ contains, ...idFilter }) => ({
      OR: [idFilter, { user: { emailKey: contains } }, { bankReference: contains }],
    })),
    ...(query.user_id != null && { userId: query.user_id }),
    ...(query.state != null && { state: query.state }),
    ...(query.invoice != null && { document: { state: query.invoice } }),
    paidAt: {
      ...(query.paid_from != null && { gte: new Date(query.paid_from) }),
      ...(query.paid_to != null && { lte: new Date(query.paid_to) }),
    },
  };
}

export function buildLicenceWhere(query: LicenceQuery): Prisma.SiteLicenceWhereInput {
  return {
    AND: buildWordFilters(query.q).map(({ contains, ...idFilter }) => ({
      OR: [
        idFilter,
        { user: { emailKey: contains } },
        { site: { domain: contains } },
        { reference: contains },
      ],
    })),
    ...(query.user_id != null && { userId: query.user_id }),
    ...(query.status != null && { status: query.status }),
  };
}

/** Orders by `sort`, newest first by default, with the ID as tie-breaker. */
export function buildOrderBy<Column extends string>(
  sort: string | null | undefined,
  sortColumns: Record<string, Column>,
): Array<{ [K in Column | "id"]?: "asc" | "desc" }> {
  const { by, direction } = parseSort(sort ?? "-created_at");
  const columns = [sortColumns[by], "id"].filter((column) => column !== undefined);
  return columns.map((column) => ({ [column]: direction })) as Array<{
    [K in Column | "id"]?: "asc" | "desc";
  }>;
}

/** Returns two conditions per word of `q`: a part of a text, ignoring case, and an ID (0 matches none). */
export function buildWordFilters(q: string | null | undefined) {
  const words = (q ?? "").normalize("NFKC").split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const wordId = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
    const escapedWord = escapeLike(word);
    return {
      id: wordId <= MAX_ID ? wordId : 0,
      contains: { contains: escapedWord, mode: "insensitive" as const },
    };
  });
}
