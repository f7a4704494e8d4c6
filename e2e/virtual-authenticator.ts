import type { Page } from "@playwright/test";

/** Adds a virtual authenticator, which verifies the user without interaction. */
export async function addVirtualAuthenticator(page: Page): Promise<{ id: string; remove(): Promise<void> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    id,
    remove: async () => {
      await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: id });
      await cdp.detach();
    },
  };
}
