import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getAuthUser, getUser } from "./contract";
import { exports } from "./export";
import * as service from "./service";

export const profile = domain({
  operations: {
    me: handle(getAuthUser, service.authUser),
    get: handle(getUser, service.user),
  },
  relations: [{ table: "users", column: "id", topic: "profile", onDeletion: "anonymise", export: "profile" }],
  exports,
});
