import { beforeEach, describe, expect, it } from "vitest";
import { openFakeImapServer, trustTestCertificate } from "@/server/testing/imap";
import { stubLookup } from "@/server/testing/lookup";
import { overrideSettings } from "@/server/testing/settings";
import { type Mailbox, signIn } from "./imap";

const lookup = stubLookup();

const direct = await openFakeImapServer();
const upgraded = await openFakeImapServer({ startTls: true });
const PASSWORD = 'p "ä\\ word';
overrideSettings({ MAIL_PRIVATE_HOSTS: "true" });
beforeEach(() => {
  lookup.mockReset().mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
  for (const peer of [direct, upgraded])
    Object.assign(peer, {
      users: new Map([["ayse@example.com", PASSWORD]]),
      capabilities: "IMAP4rev1 AUTH=PLAIN",
      offersTls: true,
      greeting: "OK",
      refusal: undefined,
      fault: undefined,
      commands: [],
    });
});

const attempt = (changes: Partial<Mailbox> = {}, timeout?: number) =>
  signIn(
    {
      host: "mail.example.com",
      port: direct.port,
      secure: true,
      user: "ayse@example.com",
      password: PASSWORD,
      ...changes,
    },
    timeout,
  );
const viaStartTls = () => ({ port: upgraded.port, secure: false });

it("sends no login to a server with an untrusted certificate", async () => {
  expect(await attempt()).toBe("insecure");
  expect(await attempt(viaStartTls())).toBe("insecure");
  expect([...direct.commands, ...upgraded.commands]).toEqual(["!CAPABILITY", "!STARTTLS"]);
});

describe("with a trusted certificate", () => {
  trustTestCertificate();

  it("signs in, sends NOOP and logs out", async () => {
    expect(await attempt()).toBe("ok");
    const steps = ["AUTHENTICATE", "NOOP", "LOGOUT"];
    expect(direct.commands.filter((step) => steps.includes(step))).toEqual(steps);
  });

  it("falls back to LOGIN", async () => {
    direct.capabilities = "IMAP4rev1";
    direct.users.set("ayse", 'a "quoted\\ one');
    expect(await attempt({ user: "ayse", password: 'a "quoted\\ one' })).toBe("ok");
    expect(direct.commands).toContain("LOGIN");
  });

  it("sends nothing but CAPABILITY before STARTTLS", async () => {
    expect(await attempt(viaStartTls())).toBe("ok");
    expect(upgraded.commands.filter((step) => step.startsWith("!"))).toEqual(["!CAPABILITY", "!STARTTLS"]);
    expect(upgraded.commands).toContain("AUTHENTICATE");
  });

  it("sends no login in plain text", async () => {
    upgraded.offersTls = false;
    expect(await attempt(viaStartTls())).toBe("insecure");
    expect(await attempt({ port: upgraded.port })).toBe("insecure");
    upgraded.greeting = "PREAUTH";
    expect(await attempt(viaStartTls())).toBe("insecure");
    expect(upgraded.commands.join()).not.toMatch(/LOGIN|AUTHENTICATE/);
  });

  it("does not trust a server that did not check the login", async () => {
    direct.greeting = "PREAUTH";
    expect(await attempt()).toBe("unavailable");
  });

  it("requires a certificate for the requested host", async () => {
    expect(await attempt({ host: "other.example.com" })).toBe("insecure");
    expect(await attempt({ host: "127.0.0.1" })).toBe("ok");
    expect(direct.commands.filter((step) => step === "AUTHENTICATE")).toHaveLength(1);
  });

  it.each([
    [undefined, "refused"],
    ["[EXPIRED] Password expired", "refused"],
    ["[UNAVAILABLE] Try later", "unavailable"],
    ["[INUSE] Locked", "unavailable"],
    ["[CONTACTADMIN] Blocked", "forbidden"],
    ["[PRIVACYREQUIRED] Not so", "forbidden"],
    ["LOGIN failed", "doubtful"],
    ["[ALERT] An app password is needed", "doubtful"],
    ["[__proto__] x", "doubtful"],
  ])("classifies the rejection %s", async (refusal, state) => {
    direct.refusal = refusal;
    direct.users.clear();
    expect(await attempt()).toBe(state);
  });

  it("reports a server that accepts no passwords", async () => {
    direct.capabilities = "IMAP4rev1 AUTH=XOAUTH2 LOGINDISABLED";
    expect(await attempt()).toBe("forbidden");
  });

  it.each(["GREETING", "CAPABILITY", "AUTHENTICATE", "NOOP"] as const)(
    "reports a server that hangs or disconnects at %s as unavailable",
    async (at) => {
      for (const does of ["hang", "cut"] as const) {
        direct.fault = { at, kind: does };
        expect(await attempt({}, does === "hang" ? 400 : undefined)).toBe("unavailable");
      }
    },
  );

  it.each(["huge", "flood"] as const)("stops reading a %s response", async (does) => {
    direct.fault = { at: "CAPABILITY", kind: does };
    expect(await attempt()).toBe("unavailable");
  });

  it("succeeds even if the server disconnects at LOGOUT", async () => {
    direct.fault = { at: "LOGOUT", kind: "cut" };
    expect(await attempt()).toBe("ok");
  });
});

describe("a host", () => {
  it("is resolved once, and unknown if it does not exist", async () => {
    await attempt();
    expect(lookup).toHaveBeenCalledTimes(1);
    lookup.mockRejectedValue(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    expect(await attempt()).toBe("unknown");
    lookup.mockRejectedValue(Object.assign(new Error("later"), { code: "EAI_AGAIN" }));
    expect(await attempt()).toBe("unavailable");
  });

  it("that never resolves times out", async () => {
    lookup.mockReturnValue(new Promise(() => {}));
    expect(await attempt({}, 50)).toBe("unavailable");
  });
});
