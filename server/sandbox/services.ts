import { evolution } from "./evolution";
import { meta } from "./meta";
import { parasut } from "./parasut";
import type { Sandbox } from "./sandbox";
import { telegram } from "./telegram";
import { twilio } from "./twilio";
import { webhookReceiver } from "./webhook-receiver";

export const SANDBOXES = {
  telegram,
  meta,
  instagram: meta,
  evolution,
  twilio,
  parasut,
  webhook: webhookReceiver,
} as const satisfies Record<string, Sandbox>;
export type SandboxName = keyof typeof SANDBOXES;
