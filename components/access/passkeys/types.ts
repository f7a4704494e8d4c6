import type { Output } from "@/server/core/contract";
import type { listPasskeys } from "@/server/domains/access/passkeys/contract";

export type Passkeys = Output<typeof listPasskeys>;
export type Passkey = Passkeys["passkeys"][number];
