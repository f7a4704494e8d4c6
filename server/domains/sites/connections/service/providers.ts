import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { evolution } from "../evolution.provider";
import { imap } from "../imap.provider";
import { instagram, messenger, whatsapp } from "../meta.provider";
import { telegram } from "../telegram.provider";
import { twilio } from "../twilio.provider";
import type { Checker, Provider, Target } from "./provider";

/** What the secrets of connections are sealed for. */
export const CONNECTION_PURPOSE = "connection";

const PROVIDERS: Partial<Record<Channel, Provider>> = {
  telegram,
  whatsapp,
  messenger,
  instagram,
  whatsapp_qr: evolution,
  sms: twilio,
  voice: twilio,
};

/** The party of a channel; none where nothing is outside. */
export function providerOf(channel: Channel): Provider | undefined {
  return PROVIDERS[channel];
}

/** Where a channel's login is tried: its party, or the mail server, which keeps nothing of ours. */
export function checkerOf(channel: Channel): Checker | undefined {
  return channel === "email" ? imap : providerOf(channel);
}

/** What may be shown of a secret: the end of a token; nothing of a password, which people choose. */
export function lastFourOf(channel: Channel, secret: string): string | null {
  return channel === "email" ? null : secret.slice(-4);
}

/** What a row says of a connection. */
export interface Stored {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: unknown;
  secretSealed: Uint8Array | null;
}

/** The connection as its party knows it: its own number there without what makes it ours. */
export function targetOf({ channel, remoteKey, accountKey, config, secretSealed }: Stored): Target {
  return {
    channel,
    remoteKey,
    accountKey,
    config: config as Record<string, string>,
    secret: secretSealed ? unseal(secretSealed, CONNECTION_PURPOSE) : "",
  };
}
