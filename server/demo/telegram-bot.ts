import { env } from "@/server/core/env";
import { createSandboxStore } from "@/server/infrastructure/sandbox-store";
import { makeConnection } from "./factories";

/** Seeds a connection whose bot the sandbox of Telegram knows. */
export async function seedTelegramBot(
  userId: number,
  data: Parameters<typeof makeConnection>[1],
): Promise<void> {
  const { remoteKey } = await makeConnection(userId, { health: "ok", lastOkAt: new Date(), ...data });
  await createSandboxStore("telegram").set(`hook:${remoteKey}`, `${env().APP_URL}/hooks/telegram/demo`);
}
