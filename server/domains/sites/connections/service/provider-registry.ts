import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { evolution } from "../evolution.provider";
import { imap } from "../imap.provider";
import { instagram, messenger, whatsapp } from "../meta.provider";
import { telegram } from "../telegram.provider";
import { twilio } from "../twilio.provider";
import type { CredentialChecker, Provider, ProviderTarget, TestMessageSender } from "./provider";

export const CONNECTION_SEAL_PURPOSE = "connection";

const PROVIDERS: Partial<Record<Channel, Provider>> = {
  telegram,
  whatsapp,
  messenger,
  instagram,
  whatsapp_qr: evolution,
  sms: twilio,
  voice: twilio,
};

export function getProvider(channel: Channel): Provider | undefined {
  return PROVIDERS[channel];
}

const TEST_MESSAGE_SENDERS: Partial<Record<Channel, TestMessageSender>> = {
  whatsapp,
  whatsapp_qr: evolution,
  sms: twilio,
};

export function getTestMessageSender(channel: Channel): TestMessageSender | undefined {
  return TEST_MESSAGE_SENDERS[channel];
}

export function getCredentialChecker(channel: Channel): CredentialChecker | undefined {
  return channel === "email" ? imap : getProvider(channel);
}

/** Returns the last four characters of a token; null for mailboxes, whose passwords people choose. */
export function getSecretLastFour(channel: Channel, secret: string): string | null {
  return channel === "email" ? null : secret.slice(-4);
}

export interface StoredConnection {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: unknown;
  secretSealed: Uint8Array | null;
}

/** Builds a target without `hookHash`, so that any webhook of this installation counts as ours. */
export function toProviderTarget({
  channel,
  remoteKey,
  accountKey,
  config,
  secretSealed,
}: StoredConnection): ProviderTarget {
  return {
    channel,
    remoteKey,
    accountKey,
    config: config as Record<string, string>,
    secret: secretSealed ? unseal(secretSealed, CONNECTION_SEAL_PURPOSE) : "",
  };
}
