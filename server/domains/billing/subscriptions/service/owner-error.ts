import { AppError, createError } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Error for agents, who cannot see billing: names the owner as contact. */
export async function createBillingOfOwnerError(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<AppError> {
  const contactSelect = { select: { name: true, email: true } };
  const agent = await db.user.findUnique({
    where: { id: userId },
    select: { parent: contactSelect, assignedSite: { select: { owner: contactSelect } } },
  });
  const contact = agent?.parent ?? agent?.assignedSite?.owner;
  return contact ? new AppError("billing_of_owner", { contact }) : createError("forbidden");
}
