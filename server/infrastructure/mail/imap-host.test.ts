import { expect, it } from "vitest";
import { openFakeImapServer } from "@/server/testing/imap";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { testImapLogin } from "./imap";

const lookup = stubDnsLookup();

const imapServer = await openFakeImapServer();

it.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])(
  "rejects a host with the private address %s, even with a public one, without a second lookup",
  async (address) => {
    const family = address.includes(":") ? 6 : 4;
    lookup.mockReset().mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
    lookup.mockResolvedValueOnce([
      { address: "93.184.216.34", family: 4 },
      { address, family },
    ]);
    const { port } = imapServer;
    const login = { user: "ayse@example.com", password: "a-password" };
    expect(await testImapLogin({ host: "rebind.example.com", port, secure: true, ...login })).toBe("private");
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(imapServer.commands).toEqual([]);
  },
);
