import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countStep } from "../statements";

export async function countViewStep(viewId: number, operation: string): Promise<void> {
  await countStep(withoutTransaction(), { viewId, operation });
}
