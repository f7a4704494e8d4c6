import { outside } from "@/server/infrastructure/database/transaction";

/** Deletes links that have expired. */
export async function forgetReviewsJob(): Promise<void> {
  await outside().db.additionReview.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
