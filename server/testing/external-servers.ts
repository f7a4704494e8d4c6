import { afterAll } from "vitest";
import { type FakeIdentityProvider, openFakeIdentityProvider } from "./identity-provider";
import { type FakeSmtpServer, openFakeSmtpServer, type SmtpOptions } from "./smtp";

/** Starts a fake SMTP server that is closed after the file's last test. */
export async function fakeSmtpServer(options?: SmtpOptions): Promise<FakeSmtpServer> {
  const peer = await openFakeSmtpServer(options);
  afterAll(peer.stop);
  return peer;
}

/** Starts a fake identity provider that is closed after the file's last test. */
export async function fakeIdentityProvider(): Promise<FakeIdentityProvider> {
  const provider = await openFakeIdentityProvider();
  afterAll(provider.close);
  return provider;
}
