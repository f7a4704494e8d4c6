import { outside } from "@/server/infrastructure/database/transaction";
import { countStep } from "../statements";

export async function noteStep(viewId: number, operation: string): Promise<void> {
  await countStep(outside(), { viewId, operation });
}
