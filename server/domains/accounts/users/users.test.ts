import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { closeDatabase, prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { createTestDatabase } from "@/server/testing/database";
import { makeUser } from "@/server/testing/factories";
import { lockUser } from "./service/lock";
import { notifyOwner } from "./service/notify";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

const MISSING_USER_ID = 2_147_480_000;
const lock = (id: number) => inTransaction((tx) => lockUser(tx, id));
const notify = (id: number) =>
  inTransaction((tx) => notifyOwner(createSystemContext(tx), id, "identity_connected"));

describe("a deleted account", () => {
  it("cannot be locked: its calls are refused as unauthenticated", async () => {
    const { id } = await makeUser();
    expect(await lock(id)).toBeUndefined();
    await expect(lock(MISSING_USER_ID)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("gets no notice, without an error", async () => {
    const { id, email } = await makeUser();
    await notify(id);
    await notify(MISSING_USER_ID);
    expect(await prisma().mailMessage.findMany({ select: { userId: true, toAddress: true } })).toEqual([
      { userId: id, toAddress: email },
    ]);
  });
});
