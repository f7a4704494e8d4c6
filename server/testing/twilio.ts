import { startFakeServices } from "./sandboxes";

interface Message {
  to: string;
  from: string;
  body: string;
}

export interface FakeTwilio {
  env: Record<string, string>;
  listMessages(): Message[];
  clearMessages(): void;
  /** Fails the next call with a status and a Twilio error code. */
  failNextCall(status: number, code: number): void;
}

export async function startFakeTwilio(): Promise<FakeTwilio> {
  const { env, stores, faults } = await startFakeServices();
  const listMessageEntries = () => [...stores.twilio.entries].filter(([key]) => key.startsWith("message:"));
  return {
    env: {
      ...env,
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_AUTH_TOKEN: "a-token-of-the-test-account",
      TWILIO_FROM: "+12025550100",
    },
    listMessages: () => listMessageEntries().map(([, message]) => message as Message),
    clearMessages: () => {
      for (const [key] of listMessageEntries()) stores.twilio.entries.delete(key);
    },
    failNextCall: (status, code) =>
      faults.push({ match: /Messages/, response: { status, body: { code, message: "Refused", status } } }),
  };
}
