import { beforeEach, describe, expect, it } from "vitest";
import { openFakeImapServer, trustTestCertificate } from "@/server/testing/imap";
import { overrideSettings } from "@/server/testing/settings";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { type ImapMailbox, testImapLogin } from "./imap";

const lookup = stubDnsLookup();

const tlsServer = await openFakeImapServer();
const startTlsServer = await openFakeImapServer({ startTls: true });
const PASSWORD = 'p "ä\\ word';
overrideSettings({ MAIL_PRIVATE_HOSTS: "true" });
beforeEach(() => {
  lookup.mockReset().mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
  for (const server of [tlsServer, startTlsServer])
    Object.assign(server, {
      users: new Map([["ayse@example.com", PASSWORD]]),
      capabilities: "IMAP4rev1 AUTH=PLAIN",
      offersTls: true,
      greeting: "OK",
      refusal: undefined,
      fault: undefined,
      commands: [],
    });
});

const trySignIn = (changes: Partial<ImapMailbox> = {}, timeout?: number) =>
  testImapLogin(
    {
      host: "mail.example.com",
      port: tlsServer.port,
      secure: true,
      user: "ayse@example.com",
      password: PASSWORD,
      ...changes,
    },
    timeout,
  );
const buildStartTlsChanges = () => ({ port: startTlsServer.port, secure: false });

it("sends no login to a server with an untrusted certificate", async () => {
  expect(await trySignIn()).toBe("insecure");
  expect(await trySignIn(buildStartTlsChanges())).toBe("insecure");
  expect([...tlsServer.commands, ...startTlsServer.commands]).toEqual(["!CAPABILITY", "!STARTTLS"]);
});

describe("with a trusted certificate", () => {
  trustTestCertificate();

  it("signs in, sends NOOP and logs out", async () => {
    expect(await trySignIn()).toBe("ok");
    const steps = ["AUTHENTICATE", "NOOP", "LOGOUT"];
    expect(tlsServer.commands.filter((step) => steps.includes(step))).toEqual(steps);
  });

  it("falls back to LOGIN", async () => {
    tlsServer.capabilities = "IMAP4rev1";
    tlsServer.users.set("ayse", 'a "quoted\\ one');
    expect(await trySignIn({ user: "ayse", password: 'a "quoted\\ one' })).toBe("ok");
    expect(tlsServer.commands).toContain("LOGIN");
  });

  it("sends nothing but CAPABILITY before STARTTLS", async () => {
    expect(await trySignIn(buildStartTlsChanges())).toBe("ok");
    expect(startTlsServer.commands.filter((step) => step.startsWith("!"))).toEqual([
      "!CAPABILITY",
      "!STARTTLS",
    ]);
    expect(startTlsServer.commands).toContain("AUTHENTICATE");
  });

  it("sends no login in plain text", async () => {
    startTlsServer.offersTls = false;
    expect(await trySignIn(buildStartTlsChanges())).toBe("insecure");
    expect(await trySignIn({ port: startTlsServer.port })).toBe("insecure");
    startTlsServer.greeting = "PREAUTH";
    expect(await trySignIn(buildStartTlsChanges())).toBe("insecure");
    expect(startTlsServer.commands.join()).not.toMatch(/LOGIN|AUTHENTICATE/);
  });

  it("does not trust a server that did not check the login", async () => {
    tlsServer.greeting = "PREAUTH";
    expect(await trySignIn()).toBe("unavailable");
  });

  it("requires a certificate for the requested host", async () => {
    expect(await trySignIn({ host: "other.example.com" })).toBe("insecure");
    expect(await trySignIn({ host: "127.0.0.1" })).toBe("ok");
    expect(tlsServer.commands.filter((step) => step === "AUTHENTICATE")).toHaveLength(1);
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
    tlsServer.refusal = refusal;
    tlsServer.users.clear();
    expect(await trySignIn()).toBe(state);
  });

  it("reports a server that accepts no passwords", async () => {
    tlsServer.capabilities = "IMAP4rev1 AUTH=XOAUTH2 LOGINDISABLED";
    expect(await trySignIn()).toBe("forbidden");
  });

  it.each(["GREETING", "CAPABILITY", "AUTHENTICATE", "NOOP"] as const)(
    "reports a server that hangs or disconnects at %s as unavailable",
    async (faultyStep) => {
      for (const faultKind of ["hang", "cut"] as const) {
        tlsServer.fault = { at: faultyStep, kind: faultKind };
        expect(await trySignIn({}, faultKind === "hang" ? 400 : undefined)).toBe("unavailable");
      }
    },
  );

  it.each(["huge", "flood"] as const)("stops reading a %s response", async (faultKind) => {
    tlsServer.fault = { at: "CAPABILITY", kind: faultKind };
    expect(await trySignIn()).toBe("unavailable");
  });

  it("succeeds even if the server disconnects at LOGOUT", async () => {
    tlsServer.fault = { at: "LOGOUT", kind: "cut" };
    expect(await trySignIn()).toBe("ok");
  });
});

describe("a host", () => {
  it("is resolved once, and unknown if it does not exist", async () => {
    await trySignIn();
    expect(lookup).toHaveBeenCalledTimes(1);
    lookup.mockRejectedValue(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    expect(await trySignIn()).toBe("unknown");
    lookup.mockRejectedValue(Object.assign(new Error("later"), { code: "EAI_AGAIN" }));
    expect(await trySignIn()).toBe("unavailable");
  });

  it("that never resolves times out", async () => {
    lookup.mockReturnValue(new Promise(() => {}));
    expect(await trySignIn({}, 50)).toBe("unavailable");
  });
});
