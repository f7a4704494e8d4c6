import { outside } from "@/server/infrastructure/database/transaction";
import { countStep } from "../statements";

/** Records a call of a view, for the person who is looked at. */
export async function noteStep(viewId: number, operation: string): Promise<void> {
  await countStep(outside(), { viewId, operation });
}
