import { fakeServices } from "./sandboxes";

interface Message {
  to: string;
  from: string;
  body: string;
}

export interface FakeTwilio {
  env: Record<string, string>;
  messages(): Message[];
  clearMessages(): void;
  /** Fails the next call with a status and a Twilio error code. */
  fail(status: number, code: number): void;
}

export async function fakeTwilio(): Promise<FakeTwilio> {
  const { env, stores, faults } = await fakeServices();
  const sent = () => [...stores.twilio.all].filter(([key]) => key.startsWith("message:"));
  return {
    env: {
      ...env,
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_AUTH_TOKEN: "a-token-of-the-test-account",
      TWILIO_FROM: "+12025550100",
    },
    messages: () => sent().map(([, message]) => message as Message),
    clearMessages: () => {
      for (const [key] of sent()) stores.twilio.all.delete(key);
    },
    fail: (status, code) =>
      faults.push({ match: /Messages/, response: { status, body: { code, message: "Refused", status } } }),
  };
}
