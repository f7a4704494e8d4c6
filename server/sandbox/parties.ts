import { evolution } from "./evolution";
import type { Sandbox } from "./kit";
import { meta } from "./meta";
import { parasut } from "./parasut";
import { receiver } from "./receiver";
import { telegram } from "./telegram";
import { twilio } from "./twilio";

/** The parties that have a sandbox, by the last part of its address. */
export const PARTIES = {
  telegram,
  meta,
  instagram: meta,
  evolution,
  twilio,
  parasut,
  webhook: receiver,
} as const satisfies Record<string, Sandbox>;
export type Party = keyof typeof PARTIES;
