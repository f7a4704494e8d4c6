import { afterAll } from "vitest";
import { openIdentityProvider, type TestIdentityProvider } from "./identity-provider";
import { openSmtpPeer, type SmtpOptions, type SmtpPeer } from "./smtp";

/** Starts a fake SMTP server that is closed after the file's last test. */
export async function smtpPeer(options?: SmtpOptions): Promise<SmtpPeer> {
  const peer = await openSmtpPeer(options);
  afterAll(peer.stop);
  return peer;
}

/** Starts a fake identity provider that is closed after the file's last test. */
export async function identityProvider(): Promise<TestIdentityProvider> {
  const provider = await openIdentityProvider();
  afterAll(provider.close);
  return provider;
}
