import { makeConnection } from "./factories";
import type { SandboxPeer } from "./sandbox";

/** Numbers of one business account, with our override of each, and our app beside another one that is subscribed. */
export async function makeNumbers(
  { stores: { meta } }: SandboxPeer,
  userId: number,
  { waba, count }: { waba: string; count: number },
): Promise<Array<{ channel: "whatsapp"; id: number }>> {
  await meta.set(`apps:${waba}`, ["100000000000001", "9"]);
  const made = Array.from({ length: count }, async (_, index) => {
    const remoteKey = `${waba}${index}`;
    await meta.set(`override:${remoteKey}`, "http://panel.test/hooks/whatsapp/x");
    const { id } = await makeConnection(userId, {
      channel: "whatsapp",
      connectionType: "cloud_api",
      remoteKey,
      accountKey: waba,
      secret: "a-token-of-whatsapp",
    });
    return { channel: "whatsapp" as const, id };
  });
  return Promise.all(made);
}

/** The calls that took our app from an account. */
export const sharedCalls = ({ calls }: SandboxPeer, waba: string) =>
  calls.filter((call) => call.startsWith("DELETE") && call.includes(`/${waba}/`));
