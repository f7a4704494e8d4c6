"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";

/** Hides the checklist of a new account, in this browser. */
export async function hideChecklist(): Promise<void> {
  const jar = await cookies();
  jar.set("checklist", "hidden", { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
  revalidatePath("/dashboard");
}
