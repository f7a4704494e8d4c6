import { outside } from "@/server/infrastructure/database/transaction";
import { countStep } from "../statements";

/** Counts a call during a view. */
export async function noteStep(viewId: number, operation: string): Promise<void> {
  await countStep(outside(), { viewId, operation });
}
