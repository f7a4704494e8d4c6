import { hash } from "@node-rs/argon2";
import * as demoFactories from "@/server/demo/factories";

export * from "@/server/demo/factories";

const hashByPassword = new Map<string, Promise<string>>();

/** Argon2id at minimum cost: verified by its own parameters, but fast. */
function hashPassword(password: string): Promise<string> {
  let passwordHash = hashByPassword.get(password);
  if (!passwordHash) {
    passwordHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    hashByPassword.set(password, passwordHash);
  }
  return passwordHash;
}

/** Creates an account as the demo's `makeUser` does, with a fast password hash. */
export async function makeUser({ password = "correct-horse", ...data }: demoFactories.UserData = {}) {
  return demoFactories.makeUser({ ...data, passwordHash: await hashPassword(password) });
}

export async function makeSignedInUser(
  data: demoFactories.UserData = {},
  tokenData: Parameters<typeof demoFactories.makeToken>[1] = {},
) {
  const user = await makeUser(data);
  return { ...user, token: await demoFactories.makeToken(user.id, tokenData) };
}

/** Creates an account with a token that has a recent proof of identity. */
export const makeProvenUser = (data?: demoFactories.UserData) =>
  makeSignedInUser(data, { provenAt: new Date() });
