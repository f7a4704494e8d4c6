import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { endInterims } from "@/server/domains/access/tokens/service/tokens";
import { voidDeletion } from "@/server/domains/accounts/users/service/personal-data";
import type { Work } from "@/server/infrastructure/database/transaction";
import { endVerifications } from "./mail";

export async function endLinks(tx: Work, userId: number): Promise<void> {
  await endReset(tx, userId);
  await endVerifications(tx, userId);
  await endInterims(tx, userId);
  await voidDeletion(tx, userId);
}
