import { afterAll } from "vitest";
import { type FakeIdentityProvider, openFakeIdentityProvider } from "./identity-provider";
import { type FakeSmtpServer, openFakeSmtpServer, type SmtpOptions } from "./smtp";

export async function startFakeSmtpServer(options?: SmtpOptions): Promise<FakeSmtpServer> {
  const fakeServer = await openFakeSmtpServer(options);
  afterAll(fakeServer.stop);
  return fakeServer;
}

export async function startFakeIdentityProvider(): Promise<FakeIdentityProvider> {
  const provider = await openFakeIdentityProvider();
  afterAll(provider.close);
  return provider;
}
