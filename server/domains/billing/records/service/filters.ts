import type { Input } from "@/server/core/contract";
import { escapeLike } from "@/server/core/fold";
import { orderOf } from "@/server/core/list";
import { MAX_ID } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { downloadLicences, downloadPayments, downloadSubscriptions } from "../contract";

export type SubscriptionQuery = Input<typeof downloadSubscriptions>["query"];
export type PaymentQuery = Input<typeof downloadPayments>["query"];
export type LicenceQuery = Input<typeof downloadLicences>["query"];

export function subscriptionsWhere(query: SubscriptionQuery): Prisma.SubscriptionWhereInput {
  return {
    AND: wordFilters(query.q).map(({ contains, ...byNumber }) => ({
      OR: [byNumber, { user: { emailKey: contains } }, { reference: contains }],
    })),
    ...(query.user_id != null && { userId: query.user_id }),
    ...(query.plan_id != null && { planId: query.plan_id }),
    ...(query.status != null && { status: query.status }),
  };
}

export function paymentsWhere(query: PaymentQuery): Prisma.PaymentWhereInput {
  return {
    AND: wordFilters(query.q).map(({ contains, ...byNumber }) => ({
      OR: [byNumber, { user: { emailKey: contains } }, { bankReference: contains }],
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

export function licencesWhere(query: LicenceQuery): Prisma.SiteLicenceWhereInput {
  return {
    AND: wordFilters(query.q).map(({ contains, ...byNumber }) => ({
      OR: [
        byNumber,
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
export function orderBy<F extends string>(
  sort: string | null | undefined,
  fields: Record<string, F>,
): Array<{ [K in F | "id"]?: "asc" | "desc" }> {
  const { by, direction } = orderOf(sort ?? "-created_at");
  const columns = [fields[by], "id"].filter((column) => column !== undefined);
  return columns.map((column) => ({ [column]: direction })) as Array<{ [K in F | "id"]?: "asc" | "desc" }>;
}

/** Conditions for each word of `q`: part of a text, ignoring case, or the ID. ID 0 matches no record. */
export function wordFilters(q: string | null | undefined) {
  const words = (q ?? "").normalize("NFKC").split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const number = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : 0;
    const part = escapeLike(word);
    return {
      id: number <= MAX_ID ? number : 0,
      contains: { contains: part, mode: "insensitive" as const },
    };
  });
}
