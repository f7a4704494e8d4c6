import { evolution } from "./evolution";
import type { Sandbox } from "./kit";
import { meta } from "./meta";
import { parasut } from "./parasut";
import { receiver } from "./receiver";
import { telegram } from "./telegram";
import { twilio } from "./twilio";

/** External services with a sandbox, by the last segment of its path. */
export const SANDBOXES = {
  telegram,
  meta,
  instagram: meta,
  evolution,
  twilio,
  parasut,
  webhook: receiver,
} as const satisfies Record<string, Sandbox>;
export type SandboxName = keyof typeof SANDBOXES;
