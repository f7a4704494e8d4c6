"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";

/** Hides the checklist of a new account, in this browser. */
export async function hideChecklist(): Promise<void> {
  await hide("checklist");
}

/** Hides the offer to add a passkey, in this browser. */
export async function hidePasskeyOffer(): Promise<void> {
  await hide("passkey-offer");
}

async function hide(what: "checklist" | "passkey-offer"): Promise<void> {
  const jar = await cookies();
  jar.set(what, "hidden", { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
  revalidatePath("/dashboard");
}
