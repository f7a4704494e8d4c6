import { hash } from "@node-rs/argon2";
import * as makers from "@/server/demo/factories";

export * from "@/server/demo/factories";

const hashes = new Map<string, Promise<string>>();

/** Argon2id at minimum cost: verified by its own parameters, but fast. */
function hashOf(password: string): Promise<string> {
  let passwordHash = hashes.get(password);
  if (!passwordHash) {
    passwordHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    hashes.set(password, passwordHash);
  }
  return passwordHash;
}

/** Creates an account as the demo's `makeUser` does, with a fast password hash. */
export async function makeUser({ password = "correct-horse", ...data }: makers.UserData = {}) {
  return makers.makeUser({ ...data, passwordHash: await hashOf(password) });
}

export async function makeSignedInUser(
  data: makers.UserData = {},
  token: Parameters<typeof makers.makeToken>[1] = {},
) {
  const user = await makeUser(data);
  return { ...user, token: await makers.makeToken(user.id, token) };
}

/** Creates an account with a token that has a recent proof of identity. */
export const makeProvenUser = (data?: makers.UserData) => makeSignedInUser(data, { provenAt: new Date() });
