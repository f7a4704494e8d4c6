import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getAuthUser, getUser } from "./contract";
import { exports } from "./export";
import * as service from "./service";
import { PROFILE_OF_CALLER, SHORT_PROFILE_OF_CALLER } from "./statements";

export const profile = domain({
  operations: {
    me: handle(getAuthUser, service.authUser, PROFILE_OF_CALLER),
    get: handle(getUser, service.user, SHORT_PROFILE_OF_CALLER),
  },
  relations: [{ table: "users", column: "id", topic: "profile", onDeletion: "anonymise", export: "profile" }],
  exports,
});
