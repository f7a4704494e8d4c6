import { makeConnection } from "./factories";
import type { FakeServices } from "./sandboxes";

/** Connects numbers with our webhook override. Our app and another one are subscribed to the account. */
export async function makeWhatsappConnections(
  { stores: { meta } }: FakeServices,
  userId: number,
  { businessAccountId, count }: { businessAccountId: string; count: number },
): Promise<Array<{ channel: "whatsapp"; id: number }>> {
  await meta.set(`apps:${businessAccountId}`, ["100000000000001", "9"]);
  const connections = Array.from({ length: count }, async (_, index) => {
    const remoteKey = `${businessAccountId}${index}`;
    await meta.set(`override:${remoteKey}`, "http://panel.test/hooks/whatsapp/x");
    const { id } = await makeConnection(userId, {
      channel: "whatsapp",
      connectionType: "cloud_api",
      remoteKey,
      accountKey: businessAccountId,
      secret: "a-token-of-whatsapp",
    });
    return { channel: "whatsapp" as const, id };
  });
  return Promise.all(connections);
}

export const listUnsubscribeCalls = ({ calls }: FakeServices, businessAccountId: string) =>
  calls.filter((call) => call.startsWith("DELETE") && call.includes(`/${businessAccountId}/`));
