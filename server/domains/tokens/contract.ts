import * as z from "zod";
import { operation } from "@/server/core/contract";
import { success } from "@/server/core/schema";

export const logout = operation({
  id: "logout",
  method: "POST",
  path: "/api/auth/logout",
  tag: "Sign-in",
  summary: "Revoke the current access token",
  description: "Contract 4.2. The token is refused from the next request on.",
  access: "token",
  status: 200,
  answer: z.object({ success, message: z.string() }),
});
