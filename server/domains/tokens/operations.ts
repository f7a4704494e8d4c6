import { handle } from "@/server/core/contract";
import { logout } from "./contract";
import * as tokens from "./service";

export const tokenOperations = {
  logout: handle(logout, tokens.logout),
};
