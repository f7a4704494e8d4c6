import { AppError, refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Agents see nothing of what somebody else pays; they learn whom to ask. */
export async function ownersMatter({ db }: Pick<Work, "db">, userId: number): Promise<AppError> {
  const person = { select: { name: true, email: true } };
  const agent = await db.user.findUnique({
    where: { id: userId },
    select: { parent: person, assignedSite: { select: { owner: person } } },
  });
  const contact = agent?.parent ?? agent?.assignedSite?.owner;
  return contact ? new AppError("billing_of_owner", { contact }) : refuse("forbidden");
}
